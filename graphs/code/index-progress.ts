import type { ReadContext } from '../../runtime/index.js';
import { projectNotIndexed } from '../../schema/index.js';
import { type IndexProgress, PROGRESS_MARK, readProgress } from './index-mark.js';

/** What an answer from a graph whose last index run did not finish says among what was cut. */
export const UNFINISHED =
  'An index run did not finish: nodes and edges are missing; codewalk index --mode incremental goes on.';

/** What an answer's `state` says of an index run that did not finish. */
export interface MissingState {
  readonly cut: readonly string[];
  /** Files that are still to be written, as far as it is known. */
  readonly pending: number;
}

/** The last run finished. */
export const NOTHING_MISSING: MissingState = { cut: [], pending: 0 };

/** What an answer's `state` says by the mark that the last run left. */
export function unfinishedState({ complete, pending }: IndexProgress): MissingState {
  return complete ? NOTHING_MISSING : { cut: [UNFINISHED], pending };
}

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

/** The start of a walker that visits nothing: it looks at all its targets at once. @throws As {@link indexProgress}. */
export async function fromNowhere(context: Pick<ReadContext, 'blobs' | 'projectRoot'>): Promise<null> {
  await indexProgress(context);
  return null;
}
