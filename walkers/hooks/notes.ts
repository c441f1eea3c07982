import { type Attempt, type Change, type ReportedFailure, sidesOf } from '../../graphs/trace/index.js';
import { firstLine, largestThatFits, shownLine } from '../../present/index.js';

/** What an agent is shown at one moment. */
export interface Note {
  /** Our own words: what this is. */
  readonly what: string;
  /** Text from outside, made with {@link quoted}: each line begins with a label of ours. At least one entry. */
  readonly entries: readonly (string | Entry)[];
  /** Names of what the note says: delivered to a session once. */
  readonly keys?: readonly string[];
  /** Characters that it may take. Default: as many as the moment has. */
  readonly most?: number;
}

/** An entry with keys of its own: where it does not fit, these are not delivered. */
export interface Entry {
  readonly text: string;
  readonly keys: readonly string[];
}

const QUOTED = 160;
const PROMPT = 110;
const CODE = 120;
const FENCE = '```';

/**
 * A text from outside as one line of the fenced block, which it cannot end. Two clients escape angle
 * brackets, so all get entities.
 */
export function quoted(text: string, most = QUOTED): string {
  return shownLine(text, most).replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(/`{3,}/gu, "'''");
}

/** The first items, quoted, and how many more there are. */
export function listed(items: readonly string[], most: number, characters: number): string {
  const shown = items.slice(0, most).map((item) => quoted(item, characters));
  return `${shown.join(', ')}${items.length > most ? ` and ${items.length - most} more` : ''}`;
}

/** A memory as one line: its title, and what it says beyond that. */
export function memoryLine(as: string, title: string, says: string): string {
  const text = says === '' || says.startsWith(title) ? says || title : `${title}: ${says}`;
  return `- remembered (${as}): ${quoted(text)}`;
}

/** When and what a task was, as it ended: `task of 2026-01-05, success: Fix the login`. */
export function taskLine({ task }: Attempt): string {
  const ending = task.status === 'running' || task.status === 'planned' ? 'not ended' : task.status;
  const prompt = quoted(firstLine(task.user_prompt, PROMPT) || 'prompt not recorded', PROMPT);
  return `task of ${task.created_at.slice(0, 10)}, ${ending}: ${prompt}`;
}

/** A failure as one line: the test and its own message. */
export function failureLine({ test, reason }: ReportedFailure): string {
  const said = quoted(reason);
  if (test === null || reason.startsWith(test)) return said || 'it failed without a message';
  return said === '' ? quoted(test) : `${quoted(test)}: ${said}`;
}

/** Changes as lines: where, and the first lines of both sides. @param how `fixed`, `changed`. */
export function changeLines(changes: readonly Change[], how: string, lines: number): string[] {
  const side = (sign: string, some: readonly string[]) =>
    some.slice(0, lines).map((line) => `    ${sign} ${quoted(line, CODE)}`);
  return changes.flatMap((change) => {
    const { kind, file, line, command, reported } = change;
    if (kind === 'command') return [`  ${how} by running: ${quoted(command ?? '')}`];
    const where = file === null ? '' : ` in ${quoted(file)}${line === null ? '' : `:${line}`}`;
    if (reported !== null) return [`  reported as ${how}${where}: ${quoted(reported)}`];
    const { removed, added } = sidesOf(change);
    const isBoth = removed.join('\n') !== added.join('\n');
    return [`  ${how}${where || ' in a file'}:`, ...(isBoth ? side('-', removed) : []), ...side('+', added)];
  });
}

/**
 * Formats notes: our own words, then quotes in a fenced block. Entries that do not fit fall from the end.
 * @returns null where nothing fits.
 */
export function formatNotes(notes: readonly Note[], most: number): { text: string; keys: string[] } | null {
  let text = '';
  const said = new Set<string>();
  for (const { what, entries: all, keys = [], most: own = most } of notes) {
    const entries = all.filter((one) => typeof one === 'string' || !one.keys.some((key) => said.has(key)));
    const before = text === '' ? '' : `${text}\n\n`;
    const texts = entries.map((entry) => (typeof entry === 'string' ? entry : entry.text));
    const first = (count: number) =>
      [`${before}Codewalk: ${what}`, `${FENCE}text`, ...texts.slice(0, count), FENCE].join('\n');
    const room = Math.min(most, before.length + own);
    const count = largestThatFits(entries.length, room, (some) => first(some).length);
    if (count === 0) continue;
    text = first(count);
    const shown = entries.slice(0, count).flatMap((entry) => (typeof entry === 'string' ? [] : entry.keys));
    for (const key of [...keys, ...shown]) said.add(key);
  }
  return text === '' ? null : { text, keys: [...said] };
}
