import { assignedSecrets, type SecretSpan } from './assigned-secrets.js';
import { CREDENTIALS } from './credentials.js';
import { PRIVATE_KEYS } from './private-keys.js';
import { TOKEN_SHAPES } from './token-shapes.js';

/** Every named shape. */
const SHAPES = [...PRIVATE_KEYS, ...TOKEN_SHAPES, ...CREDENTIALS];

/** What a longer secret could be: room that has to be looked at beside a cut, so that none survives in half. */
export const LONGEST_SECRET = 16_384;

/** The secrets of a text: in order, not overlapping. Linear in its length. */
export function secretSpans(text: string): SecretSpan[] {
  const spans = assignedSecrets(text);
  for (const { name, pattern } of SHAPES) {
    // Hardly ever is there one, and matching all makes a copy of the pattern.
    if (text.search(pattern) < 0) continue;
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.value ?? match.indices?.[0] ?? [0, 0];
      if (end > start) spans.push({ start, end, name });
    }
  }
  return merged(spans);
}

/** The text with `[masked:NAME]` in the place of every secret. */
export function masked(text: string): string {
  return maskedRange(text, secretSpans(text), 0, text.length);
}

/** A part of a text with its secrets masked; a secret that reaches over an end of the part is left out whole. */
export function maskedRange(text: string, spans: readonly SecretSpan[], from: number, to: number): string {
  let result = '';
  let at = from;
  for (const { start, end, name } of spans) {
    if (end <= at || start >= to) continue;
    result += `${text.slice(at, Math.max(at, start))}[masked:${name.replaceAll(' ', '-')}]`;
    at = end;
  }
  return at < to ? result + text.slice(at, to) : result;
}

function merged(spans: readonly SecretSpan[]): SecretSpan[] {
  const result: SecretSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last && span.start < last.end) {
      if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
    } else result.push(span);
  }
  return result;
}
