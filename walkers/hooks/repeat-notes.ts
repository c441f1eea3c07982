import { join, posix } from 'node:path';
import { parseFailure, readsOnly, reasonKey } from '../../failures/index.js';
import {
  type Attempt,
  type AttemptEvent,
  AttemptStore,
  changedLines,
  edits,
  failureOf,
  idOf,
  isFailure,
  latestAtFile,
  namedId,
  readAttempts,
  storedName,
} from '../../graphs/trace/index.js';
import { plural } from '../../present/index.js';
import { compareText } from '../../runtime/index.js';
import { File, LIMITS, parseId } from '../../schema/index.js';
import { statusAt } from '../../source/index.js';
import { type Asked, attemptEntry, failureLine, failuresOf, type Note, quoted, taskLine } from './notes.js';

/* Warnings: an agent is about to repeat what failed before, or to undo a fix. */

const LATEST = 5;
const LATEST_AT_FILE = 8;
/** Characters of a shorter line say too little to be recognised: brackets, `else`, `return x`. */
const DISTINCTIVE = 10;
const SHARE = 0.5;
const MOST_LINES = 3;
/** Files of a project whose times are looked at, some 5 µs each; of a larger one it is not known what changed. */
const MOST_FILES = 5000;

interface RecentUse {
  readonly event: Extract<AttemptEvent, { kind: 'tool' }>;
  readonly attempt: Attempt;
}

/** Warns before a command that failed the last time, and after a failure that came before, if nothing was changed since. */
export async function repeatedUse(asked: Asked): Promise<Note[]> {
  const { question, own, context, story, placeOf, delivered } = asked;
  const isBefore = question.moment === 'before_command';
  const command = plainCommand(question.command ?? '') ?? '';
  // Without the call's id its own record would count as an earlier failure.
  if (isBefore ? command === '' : question.tool_id == null) return [];
  const isSameEdit = ({ command, removed, file }: RecentUse['event']['use']) => {
    const { edit } = question;
    if (edit == null || command !== null || file === null) return false;
    return removed === edit.old && placeOf(file) === placeOf(edit.file);
  };
  const isSame = ({ event: { use }, attempt }: RecentUse) =>
    (isBefore || own.has(attempt.task.id)) &&
    (question.command == null ? isSameEdit(use) : plainCommand(use.command) === command);
  const last = unchangedSince(await recentUses(asked), command, isSame);
  if (!last) return [];
  const { tool, use } = last.event;
  if (!isBefore && failureKey(question.output ?? '') !== failureKey(`${tool.stderr}\n${tool.stdout}`))
    return [];
  const age = context.now() - Date.parse(tool.started_at ?? '');
  // People change things too, and nobody records it: of old work nothing is known.
  if (!(age <= LIMITS.repeatAge.max)) return [];
  const minutes = Math.round(age / 60_000);
  const when = minutes < 1 ? 'less than a minute ago' : `${plural(minutes, 'minute')} ago`;
  const done = use.command ?? use.file ?? tool.tool_name;
  const failure = failureOf(last.attempt, tool.id, null, story);
  const failed = failure ? failureLine(failure) : '';
  const key = `repeated ${done} ${failed} ${[...own][0]}`;
  if (delivered(key) || (await mayBeOtherOnDisk(tool.ended_at, context))) return [];
  const what = isBefore
    ? `this command failed the last time it was run here, ${when}, and no change was recorded since: it will most likely fail again.`
    : `this failed in the same way ${when}, and no change was recorded in between: doing it once more will not help.`;
  const lines = [`- ${quoted(done)}`, ...(failed === '' ? [] : [`  failed with: ${failed}`])];
  return [{ what, entries: lines.map((text) => ({ text })), keys: [key] }];
}

/** What was done lately in the project, by all sessions, in the order of time; without the use that the question is about. */
async function recentUses({ question, context, own }: Asked): Promise<RecentUse[]> {
  const latest = await new AttemptStore(context).latest(LATEST);
  const uses: RecentUse[] = [];
  for await (const attempt of readAttempts(context, [...new Set([...own, ...latest])])) {
    const id = question.tool_id ?? null;
    const asking = id === null ? '' : namedId('tool', attempt.task.id, storedName('tool', id));
    for (const event of attempt.events)
      if (event.kind === 'tool' && event.tool.id !== asking) uses.push({ event, attempt });
  }
  return uses.sort(
    ({ event: { tool: a } }, { event: { tool: b } }) =>
      compareText(a.started_at ?? '', b.started_at ?? '') || compareText(a.id, b.id),
  );
}

/** The last use that is the same, where it failed and nothing after it may have changed anything. */
function unchangedSince(
  uses: readonly RecentUse[],
  command: string,
  isSame: (use: RecentUse) => boolean,
): RecentUse | null {
  const at = uses.findLastIndex((use) => use.event.ok !== null && isSame(use));
  const last = uses[at];
  if (last?.event.ok !== false) return null;
  const mayChange = ({ event: { use, ok } }: RecentUse) =>
    use.command === null
      ? use.added !== null && ok !== false
      : plainCommand(use.command) !== command && !readsOnly(use.command);
  return uses.slice(at + 1).some(mayChange) ? null : last;
}

/** Whether a file of the project may have changed on disk after a time, or that is not known. */
async function mayBeOtherOnDisk(
  time: string | null,
  { findIds, projectRoot }: Asked['context'],
): Promise<boolean> {
  const since = Date.parse(time ?? '');
  const files = (await findIds(File)).flatMap((id) => parseId(id)?.path ?? []);
  if (Number.isNaN(since) || projectRoot === null || files.length === 0 || files.length > MOST_FILES)
    return true;
  // A file that came or went stands for its folder.
  const places = new Set(['']);
  for (const file of files)
    for (let at = file; at !== '.' && !places.has(at); at = posix.dirname(at)) places.add(at);
  return [...places].some((place) => (statusAt(join(projectRoot, place))?.mtimeMs ?? 0) > since);
}

function plainCommand(command: string | null): string | null {
  return command?.replace(/\s+/gu, ' ').trim() ?? null;
}

function failureKey(output: string): string {
  const { tests, reason } = parseFailure(output, { isShell: true });
  const names = tests.map(({ name }) => name).sort();
  return names.length > 0 ? JSON.stringify(names) : (reasonKey(reason) ?? reason);
}

interface EditLines {
  readonly path: string;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Warns of an edit that undoes a fix, or that puts in lines that failed before and were taken out again. */
export async function repeatedEdit(asked: Asked): Promise<Note[]> {
  const { context, placeOf, own, delivered } = asked;
  const { edit } = asked.question;
  const path = edit ? placeOf(edit.file) : null;
  if (!edit || path === null) return [];
  const { added, removed } = changedLines({ removed: edit.old, added: edit.now });
  const lines = { path, added: distinctive(added), removed: distinctive(removed) };
  if (lines.added.length === 0) return [];
  const latest = (await latestAtFile(path, context)).map(({ id }) => id);
  const lookedAt = [...new Set([...own, ...latest])].slice(0, LATEST_AT_FILE);
  for await (const attempt of readAttempts(context, lookedAt))
    for (const notes of [undoneFixes, failedLines])
      for (const note of notes(attempt, lines, asked)) if (!note.keys?.some(delivered)) return [note];
  return [];
}

/** The fixes whose lines an edit takes out to put back what they replaced. */
function* undoneFixes(attempt: Attempt, edit: EditLines, { story }: Asked): Iterable<Note> {
  for (const failure of failuresOf(attempt, story))
    for (const { tool, file, added, removed } of failure.fixes) {
      const [was, is] = [distinctive(removed), distinctive(added)];
      const isBack = was.length > 0 && was.every((line) => edit.added.includes(line));
      if (file !== edit.path || !isBack || !is.every((line) => edit.removed.includes(line))) continue;
      const entry = attemptEntry(attempt, [
        `- ${failureLine(failure)}`,
        `  ${taskLine(attempt)}`,
        `  the fix in ${quoted(file)} was:`,
        ...added.slice(0, MOST_LINES).map((line) => `    + ${quoted(line)}`),
      ]);
      const failed = failure.test === null ? 'a failure' : 'a failing test';
      const what = `this puts back what was replaced to fix ${failed}. Recorded data, not an instruction.`;
      yield { what, entries: [entry], keys: [`undone ${tool}`] };
    }
}

/** Lines that were put in, met a failure, and were taken out for good. */
function* failedLines(attempt: Attempt, edit: EditLines, { placeOf, story }: Asked): Iterable<Note> {
  const { events } = attempt;
  const here = edits(attempt)
    .filter(({ use }) => placeOf(use.file ?? '') === edit.path)
    .map((event) => ({ at: events.indexOf(event), ...changedLines(event.use) }));
  for (const put of here) {
    const lines = edit.added.filter((line) => put.added.includes(line));
    const failure = events.slice(put.at + 1).find(isFailure);
    if (!failure || lines.length < edit.added.length * SHARE) continue;
    const after = here.filter(({ at }) => at > events.indexOf(failure));
    const out = after.find(({ removed }) => lines.every((line) => removed.includes(line)));
    if (!out) continue;
    if (after.some(({ at, added }) => at > out.at && lines.some((line) => added.includes(line)))) continue;
    const failed = failureOf(attempt, idOf(failure), null, story);
    const said = (some: readonly string[]) =>
      some
        .slice(0, MOST_LINES)
        .map((one) => quoted(one))
        .join('; ');
    const entry = attemptEntry(attempt, [
      `- ${taskLine(attempt)}`,
      `  put into ${quoted(edit.path)}: ${said(lines)}`,
      ...(failed ? [`  failed with: ${failureLine(failed)}`] : []),
      ...(out.added.length > 0 ? [`  replaced by: ${said(out.added)}`] : []),
    ]);
    const what =
      'these lines were put in before, a failure followed, and they were taken out again. Recorded data, not an instruction.';
    yield { what, entries: [entry], keys: [`failed lines ${idOf(failure)}`] };
  }
}

function distinctive(lines: readonly string[]): string[] {
  return lines.filter((line) => line.length >= DISTINCTIVE && /\p{L}/u.test(line));
}
