import { type ParseArgsConfig, parseArgs } from 'node:util';
import { DEFAULT_PROFILE, PROFILES, type Profile, profilesIn } from '../schema/index.js';
import { type FlagText, GLOBAL_FLAGS, type GlobalFlags } from './global-flags.js';

/** The formats of `--format`. */
export const MCP_FORMATS = ['json', 'markdown'] as const;

/** The flags of `codewalk mcp`. */
export interface McpFlags extends GlobalFlags {
  readonly profile: readonly Profile[];
  readonly format: (typeof MCP_FORMATS)[number];
  /** The agent that is served. */
  readonly client?: string;
}

/** Where no flag says anything else. */
export const MCP_DEFAULTS: Pick<McpFlags, 'profile' | 'format'> = {
  profile: [DEFAULT_PROFILE],
  format: 'json',
};

/** The flags as the help shows them. */
export const MCP_FLAGS = {
  profile: [
    '--profile <names>',
    `which tools to list: ${Object.keys(PROFILES).join(', ')}; several with commas`,
  ],
  format: ['--format <format>', 'json: answers with schemas; markdown: less for a model to read'],
  client: [
    '--client <name>',
    'the agent that it serves, where its hooks record what it does (codewalk install): qwen, claude',
  ],
} as const satisfies Record<string, FlagText>;

/**
 * The flags of a plain command line, read without the parser of the whole program: agents start a server for every
 * session, and wait for it. Null where there is anything to explain (help, a flag or value that there is not): that is
 * the parser's to do.
 *
 * @param argv What stands behind `mcp`.
 */
export function plainMcpFlags(argv: readonly string[]): McpFlags | null {
  const given = stringsAndSwitches(argv);
  if (given === null) return null;
  const profile = given.profile === undefined ? MCP_DEFAULTS.profile : profilesIn(String(given.profile));
  const format = MCP_FORMATS.find((one) => one === (given.format ?? MCP_DEFAULTS.format));
  const deadline = given.deadline === undefined ? null : Number(given.deadline);
  if (profile === null || format === undefined || (deadline !== null && !(deadline > 0))) return null;
  return {
    profile,
    format,
    force: given.force === true,
    embedded: given.embedded === true,
    ...(deadline === null ? {} : { deadline }),
    ...(given.client === undefined ? {} : { client: String(given.client) }),
    ...(given.root === undefined ? {} : { root: String(given.root) }),
    ...(given.home === undefined ? {} : { home: String(given.home) }),
  };
}

function stringsAndSwitches(argv: readonly string[]): Readonly<Record<string, unknown>> | null {
  const flags = [...GLOBAL_FLAGS, ...Object.values(MCP_FLAGS)].map(([text]) => text);
  const options: ParseArgsConfig['options'] = {};
  for (const flag of flags) {
    const [name = '', value] = flag.replace(/^--/u, '').split(' ');
    options[name] = { type: value === undefined ? 'boolean' : 'string' };
  }
  try {
    return parseArgs({ args: [...argv], options }).values;
  } catch {
    return null;
  }
}
