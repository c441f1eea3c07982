import { LIMITS } from '../../schema/index.js';
import {
  masked,
  maskedEnds,
  maskedRange,
  type SecretSpan,
  secretName,
  secretSpans,
} from '../../source/index.js';
import { withoutTexts } from './event-time.js';

/** A text as it is kept, and how many bytes of it were left out. */
export interface KeptText {
  readonly text: string;
  /** In UTF-8. */
  readonly truncated: number;
}

/** Lone surrogates and NUL: no text of UTF-8 has them. */
const INVALID = /[\p{Cs}\0]/gu;

/**
 * A text from outside as it is kept: what no UTF-8 text can hold replaced, secrets masked, and of a longer one its
 * start and its end, with what is missing between them told in the text: a secret that the cut goes through is
 * masked as well.
 *
 * @param most Characters that are kept, before masking.
 */
export function keptText(text: string, most: number): KeptText {
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

/** Parameters as they are kept. */
export interface KeptParams {
  readonly params: Record<string, unknown> | null;
  readonly truncated: number;
}

/** How much of parameters is kept: whole texts first, then less of each, then fewer of them. */
const SIZES = [
  { text: LIMITS.traceParams.max, items: 1000, depth: 20 },
  { text: 2000, items: 100, depth: 8 },
  { text: 200, items: 20, depth: 4 },
] as const;
type Size = (typeof SIZES)[number];

/**
 * The parameters of a tool as they are kept: every text in them as {@link keptText}, whatever stands under the name
 * of a secret masked, and less of each where all together are longer than {@link LIMITS}.traceParams.
 */
export function keptParams(given: Record<string, unknown> | null): KeptParams {
  if (given === null) return { params: null, truncated: 0 };
  // What nests deeper than anything that is kept would be more calls than there are.
  const whole = Buffer.byteLength(JSON.stringify(withoutTexts(given, () => false)));
  let kept: Record<string, unknown> = {};
  for (const size of SIZES) {
    kept = keptRecord(given, size, size.depth, false);
    const length = JSON.stringify(kept).length;
    if (length <= LIMITS.traceParams.max) {
      const isCut = size !== SIZES[0] || whole > LIMITS.traceParams.max;
      return { params: maskedTogether(kept), truncated: isCut ? Math.max(0, whole - length) : 0 };
    }
  }
  const json = keptText(JSON.stringify(kept), LIMITS.traceParams.max);
  return { params: { truncated: json.text }, truncated: Math.max(0, whole - json.text.length) };
}

/** What one field says may make a secret of another: `{key, value}`, the words of a command line. */
function maskedTogether(kept: Record<string, unknown>): Record<string, unknown> {
  const before = JSON.stringify(kept);
  const spans = withinTexts(before, secretSpans(before));
  if (spans.length === 0) return kept;
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

function keptRecord(given: object, size: Size, depth: number, secret: boolean): Record<string, unknown> {
  const entries = Object.entries(given).slice(0, size.items);
  return Object.fromEntries(
    entries.map(([key, value]) => [
      keptText(key, LIMITS.traceName.max).text,
      keptValue(value, size, depth - 1, secret || secretName(key) !== null),
    ]),
  );
}

function keptValue(value: unknown, size: Size, depth: number, secret: boolean): unknown {
  if (typeof value === 'string') return secret && value !== '' ? '[masked]' : keptText(value, size.text).text;
  if (secret && (typeof value === 'number' || typeof value === 'bigint') && Math.abs(Number(value)) > 999)
    return '[masked]';
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth <= 0) return '[…]';
  if (!Array.isArray(value)) return keptRecord(value, size, depth, secret);
  return value.slice(0, size.items).map((one: unknown) => keptValue(one, size, depth - 1, secret));
}
