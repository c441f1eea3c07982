import type { Attempt, Change, ReportedFailure } from '../../graphs/trace/index.js';
import { firstLine, largestThatFits, shownLine } from '../../present/index.js';

/** What an agent is told at one moment. Text from outside stands only in `entries`. */
export interface Note {
  /** Our own words: what this is. */
  readonly what: string;
  /** Entries with text from outside, made with {@link quoted}: each of their lines begins with a label of ours. */
  readonly entries: readonly (string | Entry)[];
  /** Names of what it says: delivered to a session once. */
  readonly keys: readonly string[];
  /** Characters that it may take. Default: as many as the moment has. */
  readonly most?: number;
}

/** An entry with keys of its own: where it does not fit, these are not delivered. */
export interface Entry {
  readonly text: string;
  readonly keys: readonly string[];
}

/** The formatted notes of one moment, and what they deliver. */
export interface Delivered {
  readonly text: string;
  readonly keys: readonly string[];
}

/** Characters of one quotation, of a prompt, and of a line of code. */
const QUOTED = 160;
const PROMPT = 110;
const CODE = 120;
const FENCE = '```';

/**
 * A text from outside as one line of the fenced block: no line of the block begins with it, so it cannot end the block.
 * Two clients turn angle brackets into entities, so they are entities for all (C-07).
 */
export function quoted(text: string, most = QUOTED): string {
  return shownLine(text, most).replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(/`{3,}/gu, "'''");
}

/** What is remembered, as one line: the title, and what the memory says beyond it. */
export function memoryLine(row: {
  readonly as: string;
  readonly title: string;
  readonly says: string;
}): string {
  const { as, title, says } = row;
  return `- remembered (${as}): ${quoted(says === '' || says.startsWith(title) ? says || title : `${title}: ${says}`)}`;
}

/** When and what a task was, as it ended: `task of 2026-01-05, success: Fix the login`. */
export function taskLine({ task }: Attempt): string {
  const ending = task.status === 'running' || task.status === 'planned' ? 'not ended' : task.status;
  const asked = quoted(firstLine(task.user_prompt, PROMPT) || 'prompt not recorded', PROMPT);
  return `task of ${task.created_at.slice(0, 10)}, ${ending}: ${asked}`;
}

/** A failure as one line: the test and its own message. */
export function failureLine({ test, reason }: ReportedFailure): string {
  const said = quoted(reason);
  if (test === null || reason.startsWith(test)) return said || 'it failed without a message';
  return said === '' ? quoted(test) : `${quoted(test)}: ${said}`;
}

/**
 * Changes as lines: where, and both sides. What does not fit is left out.
 *
 * @param how `fixed`, `changed`.
 * @param lines Lines of each side.
 */
export function changeLines(changes: readonly Change[], how: string, lines: number): string[] {
  return changes.flatMap(({ kind, file, line, removed, added, command }) => {
    if (kind === 'command') return [`  ${how} by running: ${quoted(command ?? '')}`];
    const place = file === null ? 'a file' : `${quoted(file)}${line === null ? '' : `:${line}`}`;
    const isBoth = removed.join('\n') !== added.join('\n');
    const side = (sign: string, some: readonly string[]) =>
      some.slice(0, lines).map((one) => `    ${sign} ${quoted(one, CODE)}`);
    return [`  ${how} in ${place}:`, ...(isBoth ? side('-', removed) : []), ...side('+', added)];
  });
}

/**
 * Notes as the text that an agent is shown: each says what it is, then quotes as data in a fenced block (X-39). Entries
 * that do not fit fall from the end; a note of which none fits falls whole.
 *
 * @returns null where nothing fits.
 */
export function formatNotes(notes: readonly Note[], most: number): Delivered | null {
  let text = '';
  const keys: string[] = [];
  for (const note of notes) {
    const before = text === '' ? '' : `${text}\n\n`;
    const left = Math.min(most - before.length, note.most ?? most);
    const all = note.entries.length;
    const count = largestThatFits(
      all,
      (some) => formatNote(note, Math.max(some, Math.min(1, all))).length <= left,
    );
    const formatted = formatNote(note, count);
    if (formatted.length > left || (count === 0 && all > 0)) continue;
    text = before + formatted;
    keys.push(...note.keys);
    for (const entry of note.entries.slice(0, count)) if (typeof entry !== 'string') keys.push(...entry.keys);
  }
  return text === '' ? null : { text, keys };
}

function formatNote({ what, entries }: Note, count: number): string {
  if (count === 0) return `Codewalk: ${what}`;
  const texts = entries.slice(0, count).map((entry) => (typeof entry === 'string' ? entry : entry.text));
  return [`Codewalk: ${what}`, `${FENCE}text`, ...texts, FENCE].join('\n');
}
