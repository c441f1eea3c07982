import type { ProjectInfo } from './answers.js';

/** Suggestions that are listed at once. */
const MOST = 8;

const KEYWORDS =
  'MATCH OPTIONAL WHERE RETURN WITH UNWIND ORDER BY LIMIT SKIP DISTINCT AND OR NOT IN AS CONTAINS STARTS ENDS count collect';

/** What may stand at the caret of a query: the word that is begun, and how it may end. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly words: readonly string[];
}

/**
 * What may end the word before the caret: a label behind `(x:`, a type behind `[r:`, a property behind `x.` and in braces,
 * else a keyword.
 */
export function completionAt(
  text: string,
  caret: number,
  { vocabulary }: Pick<ProjectInfo, 'vocabulary'>,
): Completion | null {
  let from = caret;
  while (from > 0 && /\w/u.test(text[from - 1] ?? '')) from--;
  const begun = text.slice(from, caret);
  const before = text.slice(0, from);
  const { labels = [], types = [], properties = [] } = vocabulary ?? {};
  const sign = before.trimEnd().at(-1) ?? '';
  const isInBrackets = before.lastIndexOf('[') > before.lastIndexOf(']');
  const isInBraces = before.lastIndexOf('{') > before.lastIndexOf('}');
  let known: readonly string[];
  if (sign === ':' || (sign === '|' && isInBrackets)) known = isInBrackets ? types : labels;
  else if (before.endsWith('.') || (isInBraces && (sign === '{' || sign === ','))) known = properties;
  else if (begun.length < 2) return null;
  else known = KEYWORDS.split(' ');
  const low = begun.toLowerCase();
  const words = known.filter((word) => word.toLowerCase().startsWith(low) && word !== begun).slice(0, MOST);
  return words.length === 0 ? null : { from, to: caret, words };
}
