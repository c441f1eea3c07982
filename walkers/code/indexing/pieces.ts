import type { GraphPart } from './code-graph.js';

/** Files that are resolved and written together: all that is known of them is in memory. */
export const FILES_AT_ONCE = 400;

/** More files than these are resolved and written in pieces: fewer take less time as a whole. */
export const FILES_AS_A_WHOLE = 1000;

/** Bytes of facts, as they are stored, that stay in memory during a run over so many files. */
export const FACTS_OF_A_WHOLE = 16 * 1024 * 1024;

/** A run that writes no more links than this is one commit: whole, or not there at all. */
const LINKS_OF_ONE_COMMIT = 10_000;

/** Whether parts are few enough for one commit. */
export function isOneCommit(parts: Iterable<GraphPart>): boolean {
  let links = 0;
  for (const part of parts) links += part.links.length;
  return links <= LINKS_OF_ONE_COMMIT;
}

/** Paths in pieces, each with the number of those before it; few paths are one. */
export function* piecesOf(paths: readonly string[]): Generator<[at: number, piece: readonly string[]]> {
  const size = paths.length > FILES_AS_A_WHOLE ? FILES_AT_ONCE : FILES_AS_A_WHOLE;
  for (let at = 0; at < paths.length; at += size) yield [at, paths.slice(at, at + size)];
}
