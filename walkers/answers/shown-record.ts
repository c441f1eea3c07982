import { shownLine, stripHidden } from '../shown-text.js';

/** What is told at one moment. Nothing from outside stands but in `quoted`. */
export interface Remark {
  /** Our own words: what this is and why it is shown. */
  readonly what: string;
  /** Lines with text from outside, as {@link quoted} makes it, each behind a label of ours. */
  readonly quoted: readonly string[];
  /** What it says, by names of our own: told in a session once. */
  readonly keys: readonly string[];
}

/** Characters of one quotation. */
const QUOTED = 160;
const FENCE = '```';
const LABEL = 'quoted from the record';
/** Two clients turn angle brackets into entities (C-07). */
const BRACKETS = /[‹›]/u;
const BRACKETS_SAID = ' (‹ and › stand for angle brackets.)';

/**
 * A text from outside as one line of the block: no line of the block begins with it, so it cannot end the block; it
 * has no `<`, `>` or arrow that a client would change.
 */
export function quoted(text: string, most = QUOTED): string {
  return shownLine(text, most)
    .replaceAll('->', '→')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
    .replace(/`{3,}/gu, "'''");
}

/** Several lines of code as one line of the block. */
export function quotedLines(lines: readonly string[], most = QUOTED): string {
  return lines.map((line) => quoted(line, most)).join(' ⏎ ');
}

/**
 * Remarks as the text that an agent is shown: each says what it is, then quotes as data in a labelled block.
 * Lines that do not fit fall from the end; a remark of which no line fits falls whole.
 *
 * @returns null where nothing fits.
 */
export function shownRemarks(remarks: readonly Remark[], most: number): string | null {
  let text = '';
  for (const remark of remarks) {
    const before = text === '' ? '' : `${text}\n\n`;
    const whole = remark.quoted.length;
    for (let lines = whole; lines >= Math.min(1, whole); lines--) {
      const next = before + shownRemark({ ...remark, quoted: remark.quoted.slice(0, lines) });
      if (next.length > most) continue;
      text = next;
      break;
    }
  }
  return text === '' ? null : stripHidden(text);
}

function shownRemark({ what, quoted: lines }: Remark): string {
  if (lines.length === 0) return `Codewalk: ${what}`;
  const note = lines.some((line) => BRACKETS.test(line)) ? BRACKETS_SAID : '';
  return [`Codewalk: ${what}${note}`, `${FENCE}${LABEL}`, ...lines, FENCE].join('\n');
}
