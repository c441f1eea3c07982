import { compareText, type ReadContext } from '../../runtime/index.js';
import { wordsBeginning } from '../../search/index.js';
import { slips } from '../suggestion.js';
import { MEMORY_TEXT } from './memory-text.js';

/** Words that a mistyped one may stand for, at most. */
const MOST = 5;

/**
 * Words of memories that a word may be mistyped for, the nearest first: of those with the same first letter (few slips
 * are there: Pollock and Zamora, "Automatic spelling correction in scientific and scholarly text", 1984) and about the
 * same length, those that few letters tell from it.
 */
export async function nearWords(
  context: Pick<ReadContext, 'blobs' | 'blobsUnder'>,
  word: string,
): Promise<string[]> {
  const allowed = word.length < 4 ? 0 : word.length < 8 ? 1 : 2;
  if (allowed === 0) return [];
  const found: { readonly word: string; readonly far: number }[] = [];
  for await (const known of wordsBeginning(context, MEMORY_TEXT, [...word][0] ?? '')) {
    if (Math.abs(known.length - word.length) > allowed) continue;
    const far = slips(word, known);
    if (far <= allowed) found.push({ word: known, far });
  }
  found.sort((a, b) => a.far - b.far || compareText(a.word, b.word));
  return found.slice(0, MOST).map((one) => one.word);
}
