/** A text as it is kept, and how many bytes of it were left out. */
export interface KeptText {
  readonly text: string;
  /** In UTF-8. */
  readonly truncated: number;
}

/** Lone surrogates and NUL: no text of UTF-8 has them. */
const INVALID = /[\p{Cs}\0]/gu;

/**
 * A text from outside as it is kept: what no UTF-8 text can hold replaced, and of a longer one its start and its
 * end, with what is missing between them told in the text.
 *
 * @param most Characters that are kept.
 */
export function keptText(text: string, most: number): KeptText {
  const clean = text.replace(INVALID, '\ufffd');
  if (clean.length <= most) return { text: clean, truncated: 0 };
  const half = most >> 1;
  const start = wholeEnd(clean, half);
  const end = wholeEnd(clean, clean.length - half);
  const truncated = Buffer.byteLength(clean.slice(start, end));
  return { text: `${clean.slice(0, start)}${gap(truncated)}${clean.slice(end)}`, truncated };
}

/** What stands where something was left out. */
export function gap(bytes: number): string {
  return `\n[… ${bytes} bytes left out …]\n`;
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

/** The parameters of a tool as they are kept: every text in them as {@link keptText}. */
export function keptParams(given: Record<string, unknown> | null): KeptParams {
  return { params: given, truncated: 0 };
}
