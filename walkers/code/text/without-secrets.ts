import { secretSpans } from '../../../source/index.js';

/** A text with blanks in the place of every secret, so that all else stays where it is. */
export function withoutSecrets(text: string): string {
  let result = '';
  let at = 0;
  for (const { start, end } of secretSpans(text)) {
    result += text.slice(at, start) + ' '.repeat(end - start);
    at = end;
  }
  return at === 0 ? text : result + text.slice(at);
}
