import { z } from 'zod';
import { fromBytes } from './file-state.js';

/** The name of the mark that tells how far indexing came. */
export const PROGRESS_MARK = 'progress';
/** The name under which is kept what the index holds of the project as a whole. */
export const PROJECT_STATE = 'project';

const IndexProgress = z.object({
  /** Counts the index runs that wrote. */
  generation: z.number().int(),
  /** False while nodes or edges are still missing. */
  complete: z.boolean(),
  /** Files that are still to be written, as far as it is known. */
  pending: z.number().int().default(0),
});

/** How far indexing came: kept in the store, so that a kill at any point is seen by the next reader. */
export type IndexProgress = z.infer<typeof IndexProgress>;

/** The progress mark from its bytes; undefined when nothing was ever indexed. */
export function readProgress(bytes: Uint8Array | undefined): IndexProgress | undefined {
  const parsed = IndexProgress.safeParse(fromBytes(bytes));
  return parsed.success ? parsed.data : undefined;
}
