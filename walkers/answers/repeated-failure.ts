import { type Attempt, type AttemptEvent, AttemptStore, readAttempts } from '../../graphs/trace/index.js';
import { compareText } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { plural } from '../markdown.js';
import { failingNames } from '../trace/attempts/failing-names.js';
import { failureText } from '../trace/attempts/failure-text.js';
import { plainCommand } from '../trace/attempts/mend.js';
import { keptName, namedId } from '../trace/event-ids.js';
import { fingerprintOf } from '../trace/fingerprint.js';
import { failureLine } from './failure-line.js';
import type { Asked } from './question.js';
import { quoted, type Remark } from './shown-record.js';

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
interface RecentUse {
  readonly event: Extract<AttemptEvent, { kind: 'tool' }>;
  readonly attempt: Attempt;
}

/**
 * What was done lately in the project, in the order of time, that of all sessions: the tasks at work and the latest
 * others. The use that the question is about is left out, whether it is recorded yet or not.
 */
async function recentWork({ question, context, own }: Asked): Promise<RecentUse[]> {
  const latest = await new AttemptStore(context).latest(LATEST);
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
function mayChange({ event: { use, ok } }: RecentUse, same: string | null): boolean {
  if (use.command !== null) return plainCommand(use.command) !== same && !readsOnly(use.command);
  return use.added !== null && ok !== false;
}

/** Whether a use is recent enough for saying that nothing changed since: people change things, too, unrecorded. */
function isRecent({ event: { tool } }: RecentUse, now: number): boolean {
  return now - Date.parse(tool.started_at ?? '') <= LIMITS.repeatAge.max;
}

/** How long before `now` something was, in words. @param time ISO 8601, not later. */
function ago(time: string | null, now: number): string {
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

/** Warns before a command that failed the last time it was run, when nothing was changed since. */
export async function repeatedCommand(asked: Asked): Promise<Remark[]> {
  const { question, context } = asked;
  const command = plainCommand(question.command ?? '');
  if (command === '') return [];
  const last = unchangedSince(await recentWork(asked), command, isRun(command));
  if (!last || !isRecent(last, context.now())) return [];
  const when = ago(last.event.tool.started_at, context.now());
  const what = `this command failed the last time it was run here, ${when}, and no change was recorded since: it will most likely fail again.`;
  return warning(asked, last, what);
}

/** Tells that the same thing failed in the same way before, with nothing changed in between. */
export async function repeatedFailure(asked: Asked): Promise<Remark[]> {
  const { question, context, own } = asked;
  // Without the call's id its own record would be taken for an earlier failure.
  if (question.tool_id == null) return [];
  const command = question.command == null ? null : plainCommand(question.command);
  const isSame = command === null ? isEditLike(asked) : isRun(command);
  const isMine = (use: RecentUse) => own.has(use.attempt.task.id) && isSame(use);
  const last = unchangedSince(await recentWork(asked), command, isMine);
  if (!last || !isRecent(last, context.now())) return [];
  if (!failedAlike(question.output ?? '', printedBy(last))) return [];
  const when = ago(last.event.tool.started_at, context.now());
  const what = `this failed in the same way ${when}, and no change was recorded in between: doing it once more will not help.`;
  return warning(asked, last, what);
}

function warning({ told, own }: Asked, { event: { tool, use }, attempt }: RecentUse, what: string): Remark[] {
  const done = use.command ?? use.file ?? tool.tool_name;
  const failed = failureLine(attempt, tool.id);
  // Each further run would be told of in the same words.
  const key = `repeated ${done} ${failed} ${[...own][0]}`;
  if (told(key)) return [];
  return [
    {
      what,
      quoted: [`- ${quoted(done)}`, ...(failed === '' ? [] : [`  failed with: ${failed}`])],
      keys: [key],
    },
  ];
}

/** The last use that is the same, if it failed and nothing may have changed anything since. */
function unchangedSince(
  uses: readonly RecentUse[],
  command: string | null,
  isSame: (use: RecentUse) => boolean,
): RecentUse | null {
  const at = uses.findLastIndex((use) => use.event.ok !== null && isSame(use));
  const last = uses[at];
  if (last?.event.ok !== false) return null;
  return uses.slice(at + 1).some((use) => mayChange(use, command)) ? null : last;
}

function isRun(command: string): (use: RecentUse) => boolean {
  return ({ event: { use } }) => use.command !== null && plainCommand(use.command) === command;
}

function isEditLike({ question: { edit }, placeOf }: Asked): (use: RecentUse) => boolean {
  return ({ event: { use } }) =>
    edit != null &&
    use.command === null &&
    use.removed === edit.old &&
    use.file !== null &&
    placeOf(use.file) === placeOf(edit.file);
}

function printedBy({ event: { tool } }: RecentUse): string {
  return [tool.stderr, tool.stdout].join('\n');
}

/** Whether two outputs tell the same failure: the same names of what failed, else the same first words of it. */
function failedAlike(a: string, b: string): boolean {
  const [named, before] = [failingNames(a), failingNames(b)];
  if (named.size > 0 || before.size > 0)
    return named.size === before.size && [...named].every((name) => before.has(name));
  const print = printOf(a);
  return print !== null && print === printOf(b);
}

function printOf(output: string): string | null {
  return fingerprintOf(failureText(output).telling) ?? fingerprintOf(output);
}
