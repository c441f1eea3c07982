/** Flags that every command takes. */
export interface GlobalFlags {
  readonly json?: boolean;
  readonly trace?: boolean;
  readonly force?: boolean;
  readonly quiet?: boolean;
  /** False: no progress bar. */
  readonly progress?: boolean;
  readonly root?: string;
  readonly home?: string | undefined;
  /** Open graphs in this process, without the daemon. */
  readonly embedded?: boolean;
  /** Seconds. */
  readonly deadline?: number;
}

/** A flag as the help shows it: how it is written, with its value where it takes one, and what it does. */
export type FlagText = readonly [flags: string, description: string];

/** The flags of {@link GlobalFlags}. */
export const GLOBAL_FLAGS: readonly FlagText[] = [
  ['--root <dir>', "the project's folder; default: the one that holds the working directory"],
  ['--json', 'answer with one JSON document on stdout, errors too'],
  ['--trace', 'print visits, round trips to the store and milliseconds on stderr'],
  ['--force', 'take a root that is a whole disk or a home directory'],
  ['--walkers <dir>', "load people's own walkers from a folder; runs their code (repeatable)"],
  ['--home <dir>', 'where graphs are kept; default: GRAPHS_HOME, else ~/.graphs'],
  ['--deadline <seconds>', 'end a run after this time'],
  ['--embedded', 'open the graph in this process, without the daemon'],
  ['--quiet', 'print nothing but the answer and errors'],
  ['--no-progress', 'draw no progress bar'],
];
