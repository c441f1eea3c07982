/** What a watched process tells its watchdog. Anything it says is a sign of life. */
export type WatchMessage =
  | { readonly kind: 'beat' }
  /** Code of somebody else begins to run: a file that is loaded, a walker. */
  | { readonly kind: 'begin'; readonly task: WatchedTask }
  | { readonly kind: 'end'; readonly id: string }
  /** The process ends on purpose: what still runs is left behind. */
  | { readonly kind: 'leave' };

/** Something that may hang. */
export interface WatchedTask {
  readonly id: string;
  /** As the error names it: `the walker 'spin'`. */
  readonly what: string;
  /** What ending the process by itself is an error of. */
  readonly failure: 'WALKER_INVALID' | 'WALKER_FAILED';
  /** The MCP request that waits for it; null outside of MCP. */
  readonly request: string | number | null;
}

/** The variable that tells a process that it is watched already. */
export const WATCHED = 'CODEWALK_WATCHED';

/** Milliseconds between two signs of life. */
export const BEAT_MS = 200;
