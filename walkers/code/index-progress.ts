import type { ReadContext } from '../../runtime/index.js';
import { projectNotIndexed } from '../../schema/index.js';
import { type IndexProgress, PROGRESS_MARK, readProgress } from './indexing/index-mark.js';

/** What an answer from a graph whose last index run did not finish says among what was cut. */
export const UNFINISHED =
  'An index run did not finish: nodes and edges are missing; codewalk index --mode incremental goes on.';

/**
 * How far indexing came in the graph that is asked.
 *
 * @throws CodewalkError `PROJECT_NOT_INDEXED` when it never began.
 */
export async function indexProgress({
  blobs,
  projectRoot,
}: Pick<ReadContext, 'blobs' | 'projectRoot'>): Promise<IndexProgress> {
  const [mark] = await blobs([PROGRESS_MARK]);
  const progress = readProgress(mark);
  if (progress) return progress;
  throw projectNotIndexed(projectRoot);
}
