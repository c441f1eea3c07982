import { type ParseArgsConfig, parseArgs } from 'node:util';
import { AGENTS } from '../hooks/index.js';
import { DEFAULT_PROFILE, PROFILES, type Profile, profilesIn } from '../schema/index.js';

/** How the value of a flag is read; without a rule it is a text. */
interface FlagRules {
  /** `list`: the flag may be repeated. */
  readonly value?: 'seconds' | 'profiles' | 'list';
  readonly choices?: readonly string[];
  readonly fallback?: unknown;
}

/** A flag: how it is written, with its value where it takes one, and what it does. Parser, help and types come from it. */
export type Flag = readonly [flags: string, description: string, rules?: FlagRules];

type Camel<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Text;

type NameOf<Text extends string> = Text extends `--no-${infer Name}`
  ? Camel<Name>
  : Text extends `--${infer Name} ${string}`
    ? Camel<Name>
    : Text extends `--${infer Name}`
      ? Camel<Name>
      : never;

interface ReadValues {
  readonly seconds: number;
  readonly profiles: readonly Profile[];
  readonly list: readonly string[];
}

type ValueOf<One extends Flag> = One extends readonly [string, string, { readonly value: infer Kind }]
  ? Kind extends keyof ReadValues
    ? ReadValues[Kind]
    : never
  : One extends readonly [string, string, { readonly choices: readonly (infer Choice)[] }]
    ? Choice
    : One[0] extends `${string}<${string}`
      ? string
      : One[0] extends `${string}[${string}`
        ? string | true
        : boolean;

/** The values of flags by their names in camel case. */
export type FlagsOf<Flags extends readonly Flag[]> = {
  readonly [One in Flags[number] as NameOf<One[0]>]?: ValueOf<One> | undefined;
};

/** The flags that every command takes. */
export const GLOBAL_FLAGS = [
  ['--root <dir>', "the project's folder; default: the one that holds the working directory"],
  ['--json', 'answer with one JSON document on stdout, errors too'],
  ['--trace', 'print visits, round trips to the store and milliseconds on stderr'],
  ['--force', 'take a root that is a whole disk or a home directory'],
  [
    '--walkers <dir>',
    "load people's own walkers from a folder; runs their code (repeatable)",
    { value: 'list' },
  ],
  ['--home <dir>', 'where graphs are stored; default: GRAPHS_HOME, else ~/.graphs'],
  ['--deadline <seconds>', 'end a run after this time', { value: 'seconds' }],
  ['--embedded', 'open the graph in this process, without the daemon'],
  ['--quiet', 'print nothing but the answer and errors'],
  ['--no-progress', 'draw no progress bar'],
] as const satisfies readonly Flag[];

/** See {@link GLOBAL_FLAGS}. */
export type GlobalFlags = FlagsOf<typeof GLOBAL_FLAGS>;

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
  ['--apps', 'show pages of the explorer inside the chat, for clients that know MCP Apps'],
] as const satisfies readonly Flag[];

/** The flags of `codewalk mcp`. */
export type McpFlags = GlobalFlags & FlagsOf<typeof MCP_FLAGS>;

/** The value of a flag from its text; a message where it is none that the rules take. */
export function readValue({ value, choices }: FlagRules, text: string): { ok: unknown } | { wrong: string } {
  if (choices !== undefined && !choices.includes(text))
    return { wrong: `Allowed choices are ${choices.join(', ')}.` };
  if (value === 'seconds') return Number(text) > 0 ? { ok: Number(text) } : { wrong: 'It is not a time.' };
  if (value !== 'profiles') return { ok: text };
  const profiles = profilesIn(text);
  return profiles ? { ok: profiles } : { wrong: `Profiles are ${Object.keys(PROFILES).join(', ')}.` };
}

/** Flags as `node:util` parses them: their names, and whether each takes a value. */
function parseOptions(flags: readonly Flag[]): NonNullable<ParseArgsConfig['options']> {
  return Object.fromEntries(
    flags.map(([text, , rules]) => {
      const [name = '', value] = text.slice(2).split(' ');
      const type = value === undefined ? ('boolean' as const) : ('string' as const);
      return [name, { type, multiple: rules?.value === 'list' }];
    }),
  );
}

/**
 * The flags of a plain `codewalk mcp`, read without the parser of the whole program: agents start a server for every
 * session, and wait for it. Null where there is anything to explain (help, an unknown flag or value): the parser does.
 *
 * @param argv What stands behind `mcp`.
 */
export function plainMcpFlags(argv: readonly string[]): McpFlags | null {
  const flags: readonly Flag[] = [...GLOBAL_FLAGS, ...MCP_FLAGS];
  const values: Record<string, unknown> = {};
  try {
    const given = parseArgs({ args: [...argv], options: parseOptions(flags) }).values;
    for (const [text, , rules = {}] of flags) {
      const [name = ''] = text.slice(2).split(' ');
      const typed = given[name];
      const read = typeof typed === 'string' ? readValue(rules, typed) : { ok: typed ?? rules.fallback };
      if ('wrong' in read) return null;
      if (read.ok !== undefined) values[name] = read.ok;
    }
  } catch {
    return null;
  }
  return values;
}

/** What must be known before there is a program that could parse its flags. */
export interface EarlyFlags {
  /** Folders of users' own walkers: they decide which commands there are. */
  readonly walkers: readonly string[];
  /** The first word that is no flag. */
  readonly command: string | undefined;
  readonly json: boolean;
  readonly embedded: boolean;
  readonly home: string | undefined;
  /** Seconds; null when none (or nonsense, which the parser refuses later). */
  readonly deadline: number | null;
}

/** Reads the early flags from anywhere in front of `--`; what else is there may be wrong. */
export function earlyFlags(argv: readonly string[]): EarlyFlags {
  const end = argv.indexOf('--');
  const args = end < 0 ? [...argv] : argv.slice(0, end);
  const { values, positionals } = parseArgs({ args, options: parseOptions(GLOBAL_FLAGS), strict: false });
  const { walkers, home, deadline } = values;
  return {
    walkers: [walkers ?? []].flat().filter((folder) => typeof folder === 'string'),
    command: positionals[0],
    json: values.json === true,
    embedded: values.embedded === true,
    home: typeof home === 'string' ? home : undefined,
    deadline: Number(deadline) > 0 && deadline !== true ? Number(deadline) : null,
  };
}
