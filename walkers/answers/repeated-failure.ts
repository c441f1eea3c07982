import { failingNames } from '../trace/attempts/failing-names.js';
import { failureText } from '../trace/attempts/failure-text.js';
import { fingerprintOf } from '../trace/fingerprint.js';
import { failureLine } from './failure-line.js';
import type { Asked } from './question.js';
import { ago, isRecent, mayChange, plainCommand, type RecentUse, recentWork } from './recent-work.js';
import { quoted, type Remark } from './shown-record.js';

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
