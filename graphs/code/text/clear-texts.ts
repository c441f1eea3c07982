import type { StepsContext } from '../../../runtime/index.js';
import { clearIndexes, type IndexFamily, sweepIndexes } from '../../../search/index.js';
import { CODE_TEXT } from './code-text.js';

/** Text indexes of the code, those of earlier versions too. */
const CODE_TEXTS: IndexFamily = { family: 'code', layer: 'derived', types: [CODE_TEXT] };

/** Bytes that are taken out in one commit. */
const AT_ONCE = 2048;

/**
 * Takes everything out of the text index, with the run's next commit, and then, some at a time, what is left of it. Only
 * the header stays and counts on, so that what readers keep of it is seen to be of another time.
 */
export async function clearTexts(context: StepsContext): Promise<void> {
  await clearIndexes(context, CODE_TEXTS);
  do await context.commit();
  while ((await sweepIndexes(context, CODE_TEXTS, AT_ONCE)) === AT_ONCE);
  await context.commit();
}
