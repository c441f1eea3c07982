import { z } from 'zod';
import {
  type Attempt,
  type Change,
  failingTests,
  failureOf,
  idOf,
  isFailure,
  type PlaceOf,
  type ReportedFailure,
  type StoryContext,
  sidesOf,
} from '../../graphs/trace/index.js';
import { firstLine, largestThatFits, shownLine } from '../../present/index.js';
import type { ReadContext } from '../../runtime/index.js';

const text = z.string();

/** The question of a hook: what its client reported, and at which moment. */
export const HookQuestion = z.object({
  session_id: text.min(1).describe('As recorded'),
  moment: z.enum([
    'session_start',
    'prompt',
    'read',
    'read_history',
    'before_edit',
    'before_command',
    'edited',
    'failure',
  ]),
  task_id: text.nullish().describe('The task at work: it is no earlier attempt'),
  tool_id: text.nullish().describe("The client's own id of the call"),
  prompt: text.nullish(),
  file_paths: z.array(text).nullish().describe('Files that it is about'),
  command: text.nullish(),
  output: text.nullish().describe('Output of the failing tool'),
  edit: z.object({ file: text, old: text, now: text }).nullish(),
});
export type HookQuestion = z.infer<typeof HookQuestion>;

/** A question with its context. */
export interface Asked {
  readonly question: HookQuestion;
  readonly context: ReadContext;
  readonly placeOf: PlaceOf;
  readonly story: StoryContext;
  readonly files: readonly string[];
  /** Tasks at work in this session: no earlier attempts. */
  readonly own: ReadonlySet<string>;
  /** Whether the session was shown this before. */
  delivered(key: string): boolean;
}

/** What an agent is shown at one moment. */
export interface Note {
  /** Our own words: what this is. */
  readonly what: string;
  /** At least one. */
  readonly entries: readonly Entry[];
  /** Names of what the note says: delivered to a session once. */
  readonly keys?: readonly string[];
  /** Characters that it may take. Default: as many as the moment has. */
  readonly most?: number;
}

/** Text from outside, made with {@link quoted}: each line begins with a label of ours. */
export interface Entry {
  readonly text: string;
  /** Names of what it says: delivered where it fits. */
  readonly keys?: readonly string[];
}

const QUOTED = 160;
const PROMPT = 110;
const CODE = 120;
const FENCE = '```';

/** The key of having shown a task at all. */
export const attemptKey = (task: string): string => `attempt ${task}`;

/** The key of having shown a memory. */
export const memoryKey = (memory: string): string => `memory ${memory}`;

/**
 * A text from outside as one line of the fenced block, which it cannot end. Two clients escape angle
 * brackets, so all get entities; the fence is the same in all texts, so that what is like one is changed.
 */
export function quoted(text: string, most = QUOTED): string {
  return shownLine(text, most).replaceAll('<', '&lt;').replaceAll('>', '&gt;').replace(/`{3,}/gu, "'''");
}

/** The first items, quoted, and how many more there are. */
export function listed(items: readonly string[], most: number, characters: number): string {
  const shown = items.slice(0, most).map((item) => quoted(item, characters));
  return `${shown.join(', ')}${items.length > most ? ` and ${items.length - most} more` : ''}`;
}

/** A memory as an entry: its title, and what it says beyond that. */
export function memoryEntry(id: string, as: string, title: string, says: string): Entry {
  const text = says === '' || says.startsWith(title) ? says || title : `${title}: ${says}`;
  return { text: `- remembered (${as}): ${quoted(text)}`, keys: [memoryKey(id)] };
}

/** An entry about a task, of which the answer then says nothing more. */
export function attemptEntry({ task }: Attempt, lines: readonly string[]): Entry {
  return { text: lines.join('\n'), keys: [attemptKey(task.id)] };
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

/** All failures of an attempt in the order of time, each test by test before as a whole. */
export function* failuresOf(attempt: Attempt, story: StoryContext): Iterable<ReportedFailure> {
  for (const event of attempt.events.filter(isFailure))
    for (const test of [...failingTests(attempt, idOf(event)), null]) {
      const failure = failureOf(attempt, idOf(event), test, story);
      if (failure) yield failure;
    }
}

/**
 * Formats notes: our own words, then quotes in a fenced block. Entries that do not fit fall from the end.
 * @returns null where nothing fits.
 */
export function formatNotes(notes: readonly Note[], most: number): { text: string; keys: string[] } | null {
  let text = '';
  const said = new Set<string>();
  for (const { what, entries: all, keys = [], most: own = most } of notes) {
    const entries = all.filter((one) => !one.keys?.some((key) => said.has(key)));
    const before = text === '' ? '' : `${text}\n\n`;
    const first = (count: number) => {
      const texts = entries.slice(0, count).map((entry) => entry.text);
      return [`${before}Codewalk: ${what}`, `${FENCE}text`, ...texts, FENCE].join('\n');
    };
    const room = Math.min(most, before.length + own);
    const count = largestThatFits(entries.length, room, (some) => first(some).length);
    if (count === 0) continue;
    text = first(count);
    const shown = entries.slice(0, count).flatMap((entry) => entry.keys ?? []);
    for (const key of [...keys, ...shown]) said.add(key);
  }
  return text === '' ? null : { text, keys: [...said] };
}
