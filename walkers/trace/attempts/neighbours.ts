import { compareText, type ReadContext } from '../../../runtime/index.js';
import { FileImports, fileId, parseId } from '../../../schema/index.js';
import { fileLink } from './attempt-text.js';
import type { LinkScores } from './links.js';
import type { AttemptShelf } from './stored/attempt-shelf.js';

/** Files asked for that are looked around, and neighbours of them that are followed. */
const MOST_FILES = 10;
const MOST_NEIGHBOURS = 30;
/** Attempts that they lead to. */
const MOST_FOUND = 100;

/**
 * Attempts by the files that stand beside some in the code graph: what these import, and what imports them. A rare file
 * counts more; the largest score is 1. Empty where no code is indexed.
 */
export async function scoresByNeighbours(
  { links }: AttemptShelf,
  files: readonly string[],
  { q }: Pick<ReadContext, 'q'>,
): Promise<LinkScores> {
  const from = files.slice(0, MOST_FILES).map(fileId);
  const ids = [...(await q(from).out(FileImports).ids()), ...(await q(from).in(FileImports).ids())];
  const own = new Set(files);
  const near = [...new Set(ids)].sort(compareText).flatMap((id) => {
    const path = parseId(id)?.path ?? null;
    return path === null || own.has(path) ? [] : [path];
  });
  if (near.length === 0) return new Map();
  const query = new Map(near.slice(0, MOST_NEIGHBOURS).map((path) => [fileLink(path), 1]));
  const found = await links.search(query, { limit: MOST_FOUND });
  const top = found[0]?.score ?? 1;
  return new Map(found.map(({ id, score }) => [id, score / top]));
}
