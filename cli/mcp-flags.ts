import { type ParseArgsConfig, parseArgs } from 'node:util';
import { AGENTS } from '../hooks/index.js';
import { DEFAULT_PROFILE, PROFILES } from '../schema/index.js';
import { type Flag, type FlagsOf, GLOBAL_FLAGS, type GlobalFlags, readValue } from './flags.js';

/** The flags of `codewalk mcp` that a plain command line may have. */
export const MCP_FLAGS = [
  [
    '--profile <names>',
    `which tools to list: ${Object.keys(PROFILES).join(', ')}; several with commas`,
    { value: 'profiles', fallback: [DEFAULT_PROFILE] },
  ],
  [
    '--format <format>',
    'json: answers with schemas; markdown: less for a model to read',
    { choices: ['json', 'markdown'], fallback: 'json' },
  ],
  [
    '--client <name>',
    `the agent that it serves, where its hooks record what it does (codewalk install): ${AGENTS.map(({ name }) => name).join(', ')}`,
  ],
] as const satisfies readonly Flag[];

/** The flags of `codewalk mcp`. */
export type McpFlags = GlobalFlags & FlagsOf<typeof MCP_FLAGS>;

/**
 * The flags of a plain command line, read without the parser of the whole program: agents start a server for every
 * session, and wait for it. Null where there is anything to explain (help, an unknown flag or value): the parser does.
 *
 * @param argv What stands behind `mcp`.
 */
export function plainMcpFlags(argv: readonly string[]): McpFlags | null {
  const flags: readonly Flag[] = [...GLOBAL_FLAGS, ...MCP_FLAGS];
  const named = flags.map(([text, , rules = {}]) => {
    const [name = '', value] = text.replace(/^--/u, '').split(' ');
    return { name, rules, type: value === undefined ? ('boolean' as const) : ('string' as const) };
  });
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    named.map(({ name, type }) => [name, { type }]),
  );
  const values: Record<string, unknown> = {};
  try {
    const given: Readonly<Record<string, unknown>> = parseArgs({ args: [...argv], options }).values;
    for (const { name, rules, type } of named) {
      const read =
        type === 'string' && given[name] !== undefined ? readValue(rules, String(given[name])) : null;
      if (read && 'wrong' in read) return null;
      const value = read ? read.ok : (given[name] ?? rules.fallback);
      if (value !== undefined) values[name] = value;
    }
  } catch {
    return null;
  }
  return values;
}
