import type { Resource, StepsContext } from '../../runtime/index.js';
import { PROGRESS_MARK, readProgress, toBytes, WRITTEN_MARK } from './state.js';

/** The folders of stores that hold code graphs of other worktrees of the repository, the one to be tried first in front. */
export const SIBLING_STORES: Resource<() => readonly string[]> = { name: 'sibling stores', absent: () => [] };

/**
 * Fills a code graph that was never indexed with that of another worktree: files of equal content are then read, and
 * neither extracted nor stored again. Until a run has brought it to what stands here, it counts as unfinished.
 *
 * @returns Whether there was one.
 */
export async function fillFromSibling(context: StepsContext): Promise<boolean> {
  for (const folder of context.resource(SIBLING_STORES)())
    if (
      await context.fillFrom(folder, async (blobs) => {
        const [mark, written] = await blobs([PROGRESS_MARK, WRITTEN_MARK]);
        const generation = readProgress(mark)?.generation ?? 0;
        // What somebody wrote there says nothing about the files here.
        if (generation === 0 || written) return null;
        return [{ name: PROGRESS_MARK, value: toBytes({ generation, complete: false, pending: 0 }) }];
      })
    )
      return true;
  return false;
}
