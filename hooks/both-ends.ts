import { stripVTControlCharacters } from 'node:util';
import { LONGEST_SECRET, maskedRange, secretSpans } from '../source/index.js';

/**
 * A long text's beginning and end, what lies between told in the text; shorter ones as they are.
 *
 * @param most Characters that are kept.
 */
export function bothEnds(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = most >> 1;
  return joined(text.slice(0, head), text.length - most, text.slice(text.length - (most - head)));
}

/**
 * {@link bothEnds} of what a program printed, without its colours and with its secrets masked: also those that the cut
 * goes through, and before lines and parts of it are told apart from what says that they are secret.
 */
export function printedEnds(text: string, most: number): string {
  const wide = LONGEST_SECRET + (most >> 1);
  const seen =
    text.length <= 2 * wide
      ? text
      : `${text.slice(0, betweenWords(text, wide, -1))}\n${text.slice(betweenWords(text, text.length - wide, 1))}`;
  const plain = stripVTControlCharacters(seen);
  const spans = secretSpans(plain);
  const shown = (from: number, to: number) => maskedRange(plain, spans, from, to);
  const half = Math.min(most, plain.length) >> 1;
  return seen === text && plain.length <= most
    ? shown(0, plain.length)
    : joined(shown(0, half), text.length - most, shown(plain.length - half, plain.length));
}

/** The nearest position that parts no word, since without colours more may be kept than is cut off afterwards. */
function betweenWords(text: string, from: number, step: 1 | -1): number {
  for (let at = from; Math.abs(at - from) < LONGEST_SECRET; at += step)
    if (/\s/u.test(text.charAt(at))) return at;
  return from;
}

function joined(head: string, left: number, tail: string): string {
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}
