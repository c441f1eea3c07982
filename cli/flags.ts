import { PROFILES, type Profile, profilesIn } from '../schema/index.js';

/** How the value of a flag is read; without a rule it is a text. */
interface FlagRules {
  /** `list`: the flag may be repeated. */
  readonly value?: 'seconds' | 'profiles' | 'list';
  readonly choices?: readonly string[];
  readonly fallback?: unknown;
}

/** A flag: how it is written, with its value where it takes one, and what it does. Parser, help and types come from it. */
export type Flag = readonly [flags: string, description: string, rules?: FlagRules];

/** What a command takes by its place: `<NAME>`, or `[NAME]` where it may be left out. */
export type Place = readonly [text: string, description: string, choices?: readonly string[]];

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

/** The value of a flag from its text; a message where it is none that the rules take. */
export function readValue({ value, choices }: FlagRules, text: string): { ok: unknown } | { wrong: string } {
  if (choices !== undefined && !choices.includes(text))
    return { wrong: `Allowed choices are ${choices.join(', ')}.` };
  if (value === 'seconds') return Number(text) > 0 ? { ok: Number(text) } : { wrong: 'It is not a time.' };
  if (value !== 'profiles') return { ok: text };
  const profiles = profilesIn(text);
  return profiles ? { ok: profiles } : { wrong: `Profiles are ${Object.keys(PROFILES).join(', ')}.` };
}
