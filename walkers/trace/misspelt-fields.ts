import { distance } from 'fastest-levenshtein';

/** Letters that a mistyped field may differ in. */
const MOST_SLIPS = 2;

/**
 * Warnings on fields of a payload that nobody knows and that look like a known one which was not given. Other unknown
 * fields are no one's mistake: they are dropped without a word (S3-40).
 */
export function misspeltFields(given: Readonly<Record<string, unknown>>, known: readonly string[]): string[] {
  const missing = known.filter((field) => !(field in given));
  return Object.keys(given)
    .filter((field) => !known.includes(field))
    .flatMap((field) => {
      const meant = missing.find((one) => isSlip(field.toLowerCase(), one));
      return meant === undefined ? [] : [`${field}: no such field, left out; did you mean '${meant}'?`];
    });
}

/** In a short name two other letters make another word. */
function isSlip(field: string, known: string): boolean {
  if (Math.abs(field.length - known.length) > MOST_SLIPS) return false;
  const slips = distance(field, known);
  return slips <= MOST_SLIPS && slips * 2 < known.length;
}
