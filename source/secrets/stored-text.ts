import { LIMITS } from '../../schema/index.js';
import { masked, maskedEnds, maskedRange, secretSpans } from './mask.js';
import { secretName } from './secret-names.js';
import type { SecretSpan } from './span.js';

/** Placeholder for a text that took too long to check for secrets. */
export const NOT_CHECKED = '[not recorded: too slow to check]';
/** Shorter texts are names, ids or paths, not content. */
const LONGEST_NAME = 200;
/** Values nested deeper are left out. */
const DEEPEST = 24;

/** A text as it is stored, and how many bytes of it were left out. */
export interface StoredText {
  readonly text: string;
  /** In UTF-8. */
  readonly truncated: number;
}

/** Lone surrogates and NUL: no text of UTF-8 has them. */
const INVALID = /[\p{Cs}\0]/gu;

/**
 * A text from outside as it is stored: what no UTF-8 text can hold replaced, secrets masked, and of a longer one its
 * start and its end, with what is missing between them told in the text: a secret that the cut goes through is
 * masked as well.
 *
 * @param most Characters that are stored, before masking.
 */
export function storedText(text: string, most: number): StoredText {
  if (text.length <= most) return { text: masked(clean(text)), truncated: 0 };
  const half = most >> 1;
  const start = wholeEnd(text, half);
  const end = wholeEnd(text, text.length - half);
  const truncated = Buffer.byteLength(text.slice(start, end));
  return {
    text: maskedEnds(clean(text), start, end).join(`\n[… ${truncated} bytes left out …]\n`),
    truncated,
  };
}

/** Keeps the length: positions stay. */
function clean(text: string): string {
  return text.replace(INVALID, '\ufffd');
}

/** A position at which no surrogate pair is cut apart. */
function wholeEnd(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit < 0xe000 ? at - 1 : at;
}

/** Parameters as they are stored. */
export interface StoredParams {
  readonly params: Record<string, unknown> | null;
  readonly truncated: number;
}

/** How much of parameters is stored: whole texts first, then less of each, then fewer of them. */
const SIZES = [
  { text: LIMITS.traceParams.max, items: 1000, depth: 20 },
  { text: 2000, items: 100, depth: 8 },
  { text: 200, items: 20, depth: 4 },
] as const;
type Size = (typeof SIZES)[number];

/**
 * The parameters of a tool as they are stored: every text in them as {@link storedText}, whatever stands under the name
 * of a secret masked, and less of each where all together are longer than {@link LIMITS}.traceParams.
 */
export function storedParams(given: Record<string, unknown> | null): StoredParams {
  if (given === null) return { params: null, truncated: 0 };
  // What nests deeper than anything that is stored would be more calls than there are.
  const whole = Buffer.byteLength(JSON.stringify(withoutTexts(given, () => false)));
  let stored: Record<string, unknown> = {};
  for (const size of SIZES) {
    stored = storedRecord(given, size, size.depth, false);
    const length = JSON.stringify(stored).length;
    if (length <= LIMITS.traceParams.max) {
      const isCut = size !== SIZES[0] || whole > LIMITS.traceParams.max;
      return { params: maskedTogether(stored), truncated: isCut ? Math.max(0, whole - length) : 0 };
    }
  }
  const json = storedText(JSON.stringify(stored), LIMITS.traceParams.max);
  return { params: { truncated: json.text }, truncated: Math.max(0, whole - json.text.length) };
}

/** What one field says may make a secret of another: `{key, value}`, the words of a command line. */
function maskedTogether(stored: Record<string, unknown>): Record<string, unknown> {
  const before = JSON.stringify(stored);
  const spans = withinTexts(before, secretSpans(before));
  if (spans.length === 0) return stored;
  const after = maskedRange(before, spans, 0, before.length);
  try {
    return JSON.parse(after);
  } catch {
    return { text: after };
  }
}

/** Spans that reach over no quote of a text of JSON: a field ends what its text begins. */
function withinTexts(json: string, spans: readonly SecretSpan[]): SecretSpan[] {
  if (spans.length === 0) return [];
  const quotes: number[] = [];
  for (let at = 0; at < json.length; at += json[at] === '\\' ? 2 : 1) if (json[at] === '"') quotes.push(at);
  let passed = 0;
  return spans.filter(({ start, end }) => {
    while ((quotes[passed] ?? json.length) < start) passed++;
    return passed % 2 === 1 && (quotes[passed] ?? 0) >= end;
  });
}

function storedRecord(given: object, size: Size, depth: number, secret: boolean): Record<string, unknown> {
  const entries = Object.entries(given).slice(0, size.items);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      storedText(key, LIMITS.traceName.max).text,
      storedValue(value, size, depth - 1, secret || secretName(key) !== null),
    ]),
  );
}

function storedValue(value: unknown, size: Size, depth: number, secret: boolean): unknown {
  if (typeof value === 'string')
    return secret && value !== '' ? '[masked]' : storedText(value, size.text).text;
  if (secret && (typeof value === 'number' || typeof value === 'bigint') && Math.abs(Number(value)) > 999)
    return '[masked]';
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth <= 0) return '[…]';
  if (!Array.isArray(value)) return storedRecord(value, size, depth, secret);
  return value.slice(0, size.items).map((one: unknown) => storedValue(one, size, depth - 1, secret));
}

/** A copy of a value with {@link NOT_CHECKED} in place of long texts. @param isLeftOut Says which of them. Default: all. */
export function withoutTexts(value: unknown, isLeftOut: (text: string) => boolean = () => true): unknown {
  const without = (one: unknown, depth: number): unknown => {
    if (typeof one === 'string') return one.length > LONGEST_NAME && isLeftOut(one) ? NOT_CHECKED : one;
    if (typeof one !== 'object' || one === null) return one;
    if (depth === 0) return NOT_CHECKED;
    if (Array.isArray(one)) return one.map((item) => without(item, depth - 1));
    return Object.fromEntries(
      Object.entries(one).map(([key, item]) => [without(key, 0), without(item, depth - 1)]),
    );
  };
  return without(value, DEEPEST);
}
