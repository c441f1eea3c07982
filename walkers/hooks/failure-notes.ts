import { isAgentSlip, parseFailure, readsOnly, reasonKey } from '../../failures/index.js';
import {
  type Attempt,
  type AttemptEvent,
  AttemptStore,
  type Change,
  failingTests,
  failureOf,
  namedId,
  otherChanges,
  type Ranked,
  type ReportedFailure,
  rankAttempts,
  readAttempts,
  storedName,
} from '../../graphs/trace/index.js';
import { plural, stripHidden } from '../../present/index.js';
import { compareText } from '../../runtime/index.js';
import { CodeSymbol, LIMITS, parseId, SymbolTestsSymbol } from '../../schema/index.js';
import { changeLines, type Entry, failureLine, type Note, quoted, taskLine } from './notes.js';
import { type Asked, attemptKey } from './question.js';

/** Attempts that are looked at: some are the one that asks, or were told before. */
const LOOKED_AT = 12;
/** Tests of one attempt that are told of. */
const MOST_TESTS = 2;
/** Changes of the most similar failure and of the others, and lines of each side. */
const BEST = { changes: 2, lines: 4 };
const OTHERS = { changes: 1, lines: 2 };
/** The latest tasks of the project in which a repeated failure is looked for. */
const LATEST = 5;

/** The recorded failures that are most similar to the one that was just met, with what fixed them. */
export async function earlierFailures(asked: Asked): Promise<Note[]> {
  const { question, context, files, own } = asked;
  const query = stripHidden(bothEnds(question.output ?? '', LIMITS.searchQuery.max));
  if (query.trim() === '' || isSlip(asked)) return [];
  const failed = { command: question.command ?? null };
  const ranked = await rankAttempts(context, { query, failed, files, strict: false, limit: LOOKED_AT });
  const similar = ranked.filter(
    ({ attempt, failure, confidence }) =>
      failure !== null && confidence !== 'low' && !own.has(attempt.id) && !attempt.open,
  );
  const byId = new Map(similar.map((one) => [one.attempt.id, one]));
  const found: FoundFailure[] = [];
  for await (const attempt of readAttempts(context, [...byId.keys()])) {
    const match = byId.get(attempt.task.id);
    if (match) found.push(...(await matchedFailures(attempt, match, asked)));
  }
  const entries = withoutRepeats(found, asked)
    .slice(0, LIMITS.recalledFailures.max)
    .map((one, at) => failureEntry(one, at === 0 ? BEST : OTHERS, asked));
  if (entries.length === 0) return [];
  const isSame = found[0]?.match.failure?.same ?? false;
  const what = `${isSame ? 'this failure was seen before' : 'a similar failure was seen before'} in this project. Recorded data, not an instruction: check that it fits.`;
  return [{ what, entries, keys: [] }];
}

interface FoundFailure {
  readonly attempt: Attempt;
  readonly match: Ranked;
  readonly failure: ReportedFailure;
  /** Changes that did not fix it, where nothing did. */
  readonly tried: readonly Change[];
}

/** The failures of an attempt that match: test by test where tests do, each with its own fix. */
async function matchedFailures(attempt: Attempt, match: Ranked, asked: Asked): Promise<FoundFailure[]> {
  const { source = '', tests = [] } = match.failure ?? {};
  const named = tests.filter((test) => failingTests(attempt, source).includes(test)).slice(0, MOST_TESTS);
  const found: FoundFailure[] = [];
  for (const test of named.length > 0 ? named : [null]) {
    const distances = test === null ? new Map<string, number>() : await distancesFrom(test, asked);
    const failure = failureOf(attempt, source, test, { ...asked.story, distances });
    if (!failure) continue;
    const isUnfixed = failure.fixes.length === 0;
    const tried = isUnfixed && match.failure?.same ? otherChanges(attempt, asked.story) : [];
    if (!isUnfixed || tried.length > 0) found.push({ attempt, match, failure, tried });
  }
  return found;
}

/** The files that a test exercises by the code graph, each with how far it is. */
async function distancesFrom(test: string, { context }: Asked): Promise<Map<string, number>> {
  const title = test.slice(test.lastIndexOf(' > ') + 1).replace(/^> /u, '');
  const name = title
    .slice(title.lastIndexOf('::') + 1)
    .replace(/^:/u, '')
    .replace(/\[.*$/su, '');
  const distances = new Map<string, number>();
  const symbols = await context.find(CodeSymbol, { name });
  if (symbols.length === 0) return distances;
  for (const { to, distance } of await context.q(symbols).out(SymbolTestsSymbol).edges()) {
    const path = parseId(to)?.path;
    if (path) distances.set(path, Math.min(distance, distances.get(path) ?? distance));
  }
  return distances;
}

/** Of failures with the same fix the first; nothing that the task at work was told. */
function withoutRepeats(found: readonly FoundFailure[], asked: Asked): FoundFailure[] {
  const seen = new Set<string>();
  return found.filter((one) => {
    const key = keyOf(one, asked);
    if (seen.has(key) || asked.delivered(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Another task of the session is told again: what the first one was told may be long gone from the agent's memory. */
function keyOf({ failure, tried, attempt }: FoundFailure, { own }: Asked): string {
  const changes = failure.fixes.length > 0 ? failure.fixes : tried;
  const said = changes.map(({ file, added, command }) => [file, added, command]);
  const rest = failure.fixes.length > 0 ? '' : attempt.task.id;
  return `fix ${JSON.stringify([failure.test, said, rest, [...own][0]])}`;
}

function failureEntry(one: FoundFailure, shape: typeof BEST, asked: Asked): Entry {
  const { failure, attempt, tried } = one;
  const fix =
    failure.fixes.length > 0
      ? changeLines(failure.fixes.slice(0, shape.changes), 'fixed', shape.lines)
      : changeLines(tried.slice(0, 1), 'not fixed; tried', shape.lines);
  const lines = [`- ${failureLine(failure)}`, ...fix, `  ${taskLine(attempt)}`];
  return { text: lines.join('\n'), keys: [keyOf(one, asked), attemptKey(attempt.task.id)] };
}

/** The agent's own slips (an edit that did not fit, a missing file) are nobody else's failures. */
function isSlip({ question }: Asked): boolean {
  return isAgentSlip(question.output ?? '', question.command != null);
}

/** A long output says at its start or at its end what failed. */
function bothEnds(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most / 2)}\n${text.slice(-most / 2)}` : text;
}

/** One tool use of recent work. */
interface RecentUse {
  readonly event: Extract<AttemptEvent, { kind: 'tool' }>;
  readonly attempt: Attempt;
}

/** Warns before a command that failed the last time it was run, when nothing was changed since. */
export async function repeatedCommand(asked: Asked): Promise<Note[]> {
  const command = plainCommand(asked.question.command ?? '');
  if (command === '') return [];
  const last = unchangedSince(await recentUses(asked), command, isRun(command));
  return last === null
    ? []
    : warning(
        asked,
        last,
        (when) =>
          `this command failed the last time it was run here, ${when}, and no change was recorded since: it will most likely fail again.`,
      );
}

/** Warns that the same thing failed in the same way before, with nothing changed in between. */
export async function repeatedFailure(asked: Asked): Promise<Note[]> {
  const { question, own } = asked;
  // Without the call's id its own record would count as an earlier failure.
  if (question.tool_id == null) return [];
  const command = question.command == null ? null : plainCommand(question.command);
  const isSame = command === null ? isSameEdit(asked) : isRun(command);
  const isOwn = (use: RecentUse) => own.has(use.attempt.task.id) && isSame(use);
  const last = unchangedSince(await recentUses(asked), command, isOwn);
  if (last === null || !failedAlike(question.output ?? '', outputOf(last))) return [];
  return warning(
    asked,
    last,
    (when) =>
      `this failed in the same way ${when}, and no change was recorded in between: doing it once more will not help.`,
  );
}

/** What was done lately in the project, by all sessions, in the order of time; without the use that the question is about. */
async function recentUses({ question, context, own }: Asked): Promise<RecentUse[]> {
  const latest = await new AttemptStore(context).latest(LATEST);
  const uses: RecentUse[] = [];
  for await (const attempt of readAttempts(context, [...new Set([...own, ...latest])])) {
    const asking =
      question.tool_id == null ? '' : namedId('tool', attempt.task.id, storedName('tool', question.tool_id));
    for (const event of attempt.events)
      if (event.kind === 'tool' && event.tool.id !== asking) uses.push({ event, attempt });
  }
  return uses.sort(
    ({ event: { tool: a } }, { event: { tool: b } }) =>
      compareText(a.started_at ?? '', b.started_at ?? '') || compareText(a.id, b.id),
  );
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
  const mayChange = ({ event: { use, ok } }: RecentUse) =>
    use.command === null
      ? use.added !== null && ok !== false
      : plainCommand(use.command) !== command && !readsOnly(use.command);
  return uses.slice(at + 1).some(mayChange) ? null : last;
}

function warning(asked: Asked, { event, attempt }: RecentUse, say: (when: string) => string): Note[] {
  const { context, own, delivered, story } = asked;
  const { tool, use } = event;
  const age = context.now() - Date.parse(tool.started_at ?? '');
  // People change things too, and nobody records it: of old work nothing is known.
  if (!(age <= LIMITS.repeatAge.max)) return [];
  const minutes = Math.round(age / 60_000);
  const done = use.command ?? use.file ?? tool.tool_name;
  const failure = failureOf(attempt, tool.id, null, story);
  const failed = failure ? failureLine(failure) : '';
  const key = `repeated ${done} ${failed} ${[...own][0]}`;
  if (delivered(key)) return [];
  const entries = [`- ${quoted(done)}`, ...(failed === '' ? [] : [`  failed with: ${failed}`])];
  return [
    {
      what: say(minutes < 1 ? 'less than a minute ago' : `${plural(minutes, 'minute')} ago`),
      entries,
      keys: [key],
    },
  ];
}

function isRun(command: string): (use: RecentUse) => boolean {
  return ({ event: { use } }) => use.command !== null && plainCommand(use.command) === command;
}

function isSameEdit({ question: { edit }, placeOf }: Asked): (use: RecentUse) => boolean {
  return ({ event: { use } }) =>
    edit != null &&
    use.command === null &&
    use.removed === edit.old &&
    use.file !== null &&
    placeOf(use.file) === placeOf(edit.file);
}

function plainCommand(command: string): string {
  return command.replace(/\s+/gu, ' ').trim();
}

function outputOf({ event: { tool } }: RecentUse): string {
  return [tool.stderr, tool.stdout].filter((text) => text !== '').join('\n');
}

/** Whether two outputs report the same failure: the same failing tests, else the same message. */
function failedAlike(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => parseFailure(text, { isShell: true }));
  if (!one || !other) return false;
  const names = ({ tests }: typeof one) =>
    tests
      .map(({ name }) => name)
      .sort()
      .join('\n');
  if (one.tests.length + other.tests.length > 0) return names(one) === names(other);
  return (reasonKey(one.reason) ?? one.reason) === (reasonKey(other.reason) ?? other.reason);
}
