import { stripVTControlCharacters } from 'node:util';
import { masked, maskedEnds } from '../source/index.js';

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
  const plain = stripVTControlCharacters(text);
  if (plain.length <= most) return masked(plain);
  const head = most >> 1;
  const [start, end] = maskedEnds(plain, head, plain.length - (most - head));
  return joined(start, plain.length - most, end);
}

function joined(head: string, left: number, tail: string): string {
  return `${head}\n[… ${left} characters left out …]\n${tail}`;
}
