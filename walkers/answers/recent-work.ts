import { compareText } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { plural } from '../markdown.js';
import type { Attempt, AttemptEvent } from '../trace/attempts/attempt.js';
import { readAttempts } from '../trace/attempts/read-attempts.js';
import { AttemptShelf } from '../trace/attempts/stored/attempt-shelf.js';
import { keptName, namedId } from '../trace/event-ids.js';
import type { Asked } from './question.js';

/** Programs that look and change nothing; not `cd`: elsewhere the same command is another one. */
const LOOKING = new Set([
  ...['ls', 'cat', 'head', 'tail', 'grep', 'egrep', 'rg', 'wc', 'pwd', 'echo', 'which', 'stat', 'file'],
  ...['tree', 'diff', 'sort', 'uniq', 'true', 'less', 'cut', 'nl', 'du', 'df', 'ps', 'sleep', 'date', 'type'],
]);

/** What `git` does without changing anything. */
const GIT_LOOKING = new Set(['status', 'diff', 'log', 'show', 'blame', 'ls-files', 'grep', 'rev-parse']);

/** Output that is thrown away, or sent where the other goes. */
const HARMLESS_REDIRECTION = /\d?>&\d|[\d&]?>\s*\/dev\/null/gu;

/** The latest tasks of the project that are looked at. */
const LATEST = 5;

/** One use of a tool in recent work. */
export interface RecentUse {
  readonly event: Extract<AttemptEvent, { kind: 'tool' }>;
  readonly attempt: Attempt;
}

/**
 * What was done lately in the project, in the order of time, that of all sessions: the tasks at work and the latest
 * others. The use that the question is about is left out, whether it is recorded yet or not.
 */
export async function recentWork({ question, context, own }: Asked): Promise<RecentUse[]> {
  const latest = await new AttemptShelf(context).latest(LATEST);
  const uses: RecentUse[] = [];
  for await (const attempt of readAttempts(context, [...new Set([...own, ...latest])])) {
    const asking =
      question.tool_id == null ? '' : namedId('tool', attempt.task.id, keptName('tool', question.tool_id));
    for (const event of attempt.events)
      if (event.kind === 'tool' && event.tool.id !== asking) uses.push({ event, attempt });
  }
  return uses.sort(
    ({ event: { tool: a } }, { event: { tool: b } }) =>
      compareText(a.started_at ?? '', b.started_at ?? '') || compareText(a.id, b.id),
  );
}

/** Whether a use of a tool may have changed anything. @param same the command that was run again: it changes nothing. */
export function mayChange({ event: { use, ok } }: RecentUse, same: string | null): boolean {
  if (use.command !== null) return plainCommand(use.command) !== same && !readsOnly(use.command);
  return use.added !== null && ok !== false;
}

/** A command without differences that mean nothing. */
export function plainCommand(command: string): string {
  return command.replace(/\s+/gu, ' ').trim();
}

/** Whether a use is recent enough for saying that nothing changed since: people change things, too, unrecorded. */
export function isRecent({ event: { tool } }: RecentUse, now: number): boolean {
  return now - Date.parse(tool.started_at ?? '') <= LIMITS.repeatAge.max;
}

/** How long before `now` something was, in words. @param time ISO 8601, not later. */
export function ago(time: string | null, now: number): string {
  const minutes = Math.round((now - Date.parse(time ?? '')) / 60_000);
  return minutes < 1 ? 'less than a minute ago' : `${plural(minutes, 'minute')} ago`;
}

/** Whether a shell command surely changes nothing: every program in it only looks, and nothing is written to a file. */
function readsOnly(command: string): boolean {
  const plain = command.replace(HARMLESS_REDIRECTION, '');
  if (/[>`]|\$\(/u.test(plain)) return false;
  return plain.split(/\|\||&&|[|;&\n]/u).every((part) => {
    const [program = '', ...words] = part.trim().split(/\s+/u);
    if (program === 'git') return GIT_LOOKING.has(words.find((word) => !word.startsWith('-')) ?? '');
    return program === '' || LOOKING.has(program);
  });
}
