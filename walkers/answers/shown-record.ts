import { largestThatFits } from '../../present/index.js';
import { shownLine } from '../shown-text.js';

/** What is told at one moment. Nothing from outside stands but in `quoted`. */
export interface Remark {
  /** Our own words: what this is and why it is shown. */
  readonly what: string;
  /** Entries with text from outside, as {@link quoted} makes it: each of their lines begins with a label of ours. */
  readonly quoted: readonly (string | Entry)[];
  /** What it says, by names of our own: told in a session once. */
  readonly keys: readonly string[];
  /** Characters that it may take; none: as many as the moment has. */
  readonly most?: number;
}

/** An entry that says something of its own: where it falls, that was not told. */
export interface Entry {
  readonly text: string;
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

/** Lines of code as one line of the block: as many as there is room for, the first one in any case. */
export function quotedLines(lines: readonly string[], most = QUOTED): string {
  let text = '';
  for (const line of lines) {
    const next = text === '' ? quoted(line, most) : `${text} ⏎ ${quoted(line)}`;
    if (next.length > most) break;
    text = next;
  }
  return text;
}

/** What an agent is shown, and what it was told by that. */
export interface Shown {
  readonly text: string;
  readonly keys: readonly string[];
}

/**
 * Remarks as the text that an agent is shown: each says what it is, then quotes as data in a labelled block.
 * Entries that do not fit fall from the end; a remark of which none fits falls whole.
 *
 * @returns null where nothing fits.
 */
export function shownRemarks(remarks: readonly Remark[], most: number): Shown | null {
  let text = '';
  const keys: string[] = [];
  for (const remark of remarks) {
    const before = text === '' ? '' : `${text}\n\n`;
    const left = Math.min(most - before.length, remark.most ?? most);
    const entries = largestThatFits(
      remark.quoted.length,
      (count) => shownRemark(remark, Math.max(count, Math.min(1, remark.quoted.length))).length <= left,
    );
    const shown = shownRemark(remark, entries);
    if (shown.length > left || (entries === 0 && remark.quoted.length > 0)) continue;
    text = before + shown;
    keys.push(...remark.keys, ...remark.quoted.slice(0, entries).flatMap(keysOf));
  }
  return text === '' ? null : { text, keys };
}

function shownRemark({ what, quoted: all }: Remark, count: number): string {
  const entries = all.slice(0, count).map((entry) => (typeof entry === 'string' ? entry : entry.text));
  if (entries.length === 0) return `Codewalk: ${what}`;
  const note = entries.some((entry) => BRACKETS.test(entry)) ? BRACKETS_SAID : '';
  return [`Codewalk: ${what}${note}`, `${FENCE}${LABEL}`, ...entries, FENCE].join('\n');
}

function keysOf(entry: string | Entry): readonly string[] {
  return typeof entry === 'string' ? [] : entry.keys;
}
