/** Files that are resolved and written together: all that is known of them is in memory. */
export const FILES_AT_ONCE = 400;

/** More files than these are resolved and written in pieces: fewer take less time as a whole. */
export const FILES_AS_A_WHOLE = 1000;

/** Paths in pieces of so many, each with the number of those before it. */
export function* piecesOf(paths: readonly string[]): Generator<[at: number, piece: readonly string[]]> {
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) yield [at, paths.slice(at, at + FILES_AT_ONCE)];
}
