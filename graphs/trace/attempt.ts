import { type FailingTest, Failure, type Frame } from '../../failures/index.js';
import { firstLine, shownLine } from '../../present/index.js';
import { compareText, type NodeRef, type PathExpression, type ReadContext } from '../../runtime/index.js';
import {
  append,
  type NodeType,
  Step,
  StepHasError,
  StepInvokesTool,
  Task,
  TaskHasStep,
  ToolInvocation,
  ToolTouchesFile,
  ToolTouchesSymbol,
  TraceError,
} from '../../schema/index.js';
import { insideRoot, isTestPath, readText } from '../../source/index.js';
import type { PlaceOf } from './event.js';
import { isProse, onlySkips, type ToolUse, toolUse } from './tool-use.js';

/* An attempt: all that is recorded of a task, and how an answer describes it: what failed, what fixed it, what else was tried. */

const AT_ONCE = 100;
/** Lines of one side of a change, and characters of a line and a message. */
const MOST_LINES = 12;
const LINE = 200;
const MESSAGE = 300;
const SHORT_LINE = 12;
const LARGEST_FILE = 1_000_000;

/** A use of a tool in an attempt. */
export interface ToolEvent {
  readonly kind: 'tool';
  readonly step: string;
  readonly tool: NodeRef<typeof ToolInvocation>;
  readonly use: ToolUse;
  /** Ids of the files and symbols that it touched. */
  readonly touched: readonly string[];
  /** Whether it succeeded; null: unknown. One that an error names did not, whatever it ended with. */
  readonly ok: boolean | null;
}

/** One thing that happened in an attempt, in the order of time. */
export type AttemptEvent =
  | ToolEvent
  | { readonly kind: 'error'; readonly step: string; readonly error: NodeRef<typeof TraceError> };

/** One task with all that is recorded of it: what was asked, done, and went wrong. */
export interface Attempt {
  readonly task: NodeRef<typeof Task>;
  readonly steps: readonly NodeRef<typeof Step>[];
  readonly events: readonly AttemptEvent[];
}

/** Whether an attempt has not ended: it may be the one that asks. */
export function isOpen({ task }: { readonly task: Pick<Attempt['task'], 'status'> }): boolean {
  return task.status === 'running' || task.status === 'planned';
}

function nodeOf(event: AttemptEvent): NodeRef<typeof ToolInvocation> | NodeRef<typeof TraceError> {
  return event.kind === 'tool' ? event.tool : event.error;
}

/** The id of the invocation or error. */
export function idOf(event: AttemptEvent): string {
  return nodeOf(event).id;
}

/** Reads attempts with all their parts, task by task in the order given: a few round trips per hundred. */
export async function* readAttempts(
  { q, nodesOf }: Pick<ReadContext, 'q' | 'nodesOf'>,
  tasks: readonly string[],
): AsyncIterable<Attempt> {
  for (let i = 0; i < tasks.length; i += AT_ONCE) {
    const found = (await nodesOf(Task, tasks.slice(i, i + AT_ONCE))).filter(({ gone }) => !gone);
    const steps = await farNodes(q(found).out(TaskHasStep).of(Step));
    const all = [...steps.values()].flat();
    const tools = await farNodes(q(all).out(StepInvokesTool).of(ToolInvocation));
    const errors = await farNodes(q(all).out(StepHasError).of(TraceError));
    const touched = new Map<string, string[]>();
    const used = q([...tools.values()].flat());
    for (const type of [ToolTouchesFile, ToolTouchesSymbol])
      for (const { from, to } of await used.out(type).edges()) append(touched, from, to);
    for (const task of found) {
      const own = [...(steps.get(task.id) ?? [])];
      own.sort((a, b) => a.order - b.order || compareText(a.id, b.id));
      const denied = new Set(own.flatMap(({ id }) => errors.get(id) ?? []).map(({ tool_id }) => tool_id));
      const events = own.flatMap(({ id: step }): AttemptEvent[] => [
        ...(tools.get(step) ?? []).map((tool): ToolEvent => {
          const ok = denied.has(tool.id) ? false : tool.success;
          const use = toolUse(tool.params_json);
          return { kind: 'tool', step, tool, use, touched: touched.get(tool.id) ?? [], ok };
        }),
        ...(errors.get(step) ?? []).map((error) => ({ kind: 'error' as const, step, error })),
      ]);
      const timeOf = (one: AttemptEvent) =>
        (one.kind === 'tool' ? one.tool.started_at : one.error.created_at) ?? '';
      events.sort((a, b) => compareText(timeOf(a), timeOf(b)) || compareText(idOf(a), idOf(b)));
      yield { task, steps: own, events };
    }
  }
}

async function farNodes<N extends NodeType>(path: PathExpression<N>): Promise<Map<string, NodeRef<N>[]>> {
  const far = new Map((await path).map((node) => [node.id, node]));
  const nodes = new Map<string, NodeRef<N>[]>();
  for (const { from, to } of await path.edges()) {
    const node = far.get(to);
    if (node) append(nodes, from, node);
  }
  return nodes;
}

/** One change of an attempt: an edit, or a command that was run. */
export interface Change {
  readonly tool: string;
  readonly step: string;
  readonly kind: 'edit' | 'command';
  /** Root-relative where it is in the project; null for a command, or where the client did not say. */
  readonly file: string | null;
  /** Where its new lines stand in the file now, from 1; null: nowhere, or in several places. */
  readonly line: number | null;
  /** Lines that it took out, and those that it put in; where it only took lines out, those that stay. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** Where those that it put in are short, the line before or after them, which stays; one of the two at most. */
  readonly above: readonly string[];
  readonly below: readonly string[];
  readonly command: string | null;
  /** What a person reported to have done, where nothing else is recorded. */
  readonly reported: string | null;
}

/** What failed in an attempt, with what fixed it. */
export interface ReportedFailure {
  readonly source: string;
  /** The failing test; null: the failure as a whole. */
  readonly test: string | null;
  /** Why it failed, in one line; empty where nothing says. */
  readonly reason: string;
  /** What fixed it, the most relevant first. Empty: nothing was seen to fix it. */
  readonly fixes: readonly Change[];
  /** Whether a command passed after that; where not, a person only reported the fix. */
  readonly passed: boolean;
  /** What was tried before that in the same files, and did not help. */
  readonly tried: readonly Change[];
  /** Why its run passed later all the same; null: it did not, or what fixed it is known. */
  readonly later: string | null;
}

/** What an answer needs in addition to an attempt. */
export interface StoryContext {
  readonly placeOf: PlaceOf;
  readonly root: string | null;
  /** How near a file is to a test by the code graph: smaller is nearer; absent: it does not reach it. */
  readonly distances?: ReadonlyMap<string, number>;
}

/** Whether an event reports that something went wrong. */
export function isFailure(event: AttemptEvent): boolean {
  return event.kind === 'error' || event.ok === false;
}

/**
 * The failure that describes an attempt best: a command's before an edit's, a fixed one before others; null:
 * nothing failed.
 */
export function mainFailure({ events }: Attempt): string | null {
  const commands = new Set(toolsOf(events).flatMap(({ tool, use }) => (use.command === null ? [] : tool.id)));
  const worth = (event: AttemptEvent) => {
    const tool = event.kind === 'error' ? event.error.tool_id : event.tool.id;
    return 2 * Number(tool !== null && commands.has(tool)) + Number(nodeOf(event).resolved_by.length > 0);
  };
  const [best] = events.filter(isFailure).sort((a, b) => worth(b) - worth(a));
  return best ? idOf(best) : null;
}

/**
 * One failure with its fix.
 * @param source The failing tool use or error.
 * @param test One of its tests; null: all of it.
 */
export function failureOf(
  attempt: Attempt,
  source: string,
  test: string | null,
  context: StoryContext,
): ReportedFailure | null {
  const found = failed(attempt, source);
  if (!found) return null;
  const { node, failure } = found;
  const failing = failure?.tests.find(({ name }) => name === test) ?? null;
  const whole =
    'message' in node
      ? node.message
      : (failure?.reason ?? firstLine(`${node.stderr}\n${node.stdout}`, MESSAGE));
  const ids = (failing && new Map(Object.entries(node.fixes)).get(failing.name)) ?? node.resolved_by;
  const tools = new Map(toolsOf(attempt.events).map((event) => [event.tool.id, event]));
  const fixing = ids.flatMap((id) => tools.get(id) ?? []);
  const run = failingRun(attempt, node);
  const tries = failedTries(attempt, fixing, run ? commandOf(run) : null);
  const tried = tries.map((event) => changeOf(event, context));
  const changes = fixing.map((event) => fromBefore(changeOf(event, context), tried));
  const all = toolsOf(attempt.events);
  const isRunAfter = (change: ToolEvent | undefined) =>
    change !== undefined &&
    all.slice(all.indexOf(change) + 1).some(({ ok, use }) => ok === true && use.command !== null);
  return {
    source: node.id,
    test: failing?.name ?? null,
    reason: shownLine(failing ? (failing.reason ?? '') : whole, MESSAGE),
    fixes: byRelevance(changes, failing, failure, context),
    passed: fixing.some(({ use }) => use.reported === null) || isRunAfter(fixing.at(-1)),
    tried,
    later: changes.length > 0 ? null : passedLater(attempt, run),
  };
}

/** The command that failed; an error that names no tool reports the one before it. Null: it was none. */
function failingRun({ events }: Attempt, node: ReturnType<typeof nodeOf>): ToolEvent | null {
  const id = 'message' in node ? node.tool_id : node.id;
  const at = events.findIndex((event) => nodeOf(event) === node);
  const run = toolsOf(events).find(({ tool }) => tool.id === id) ?? toolsOf(events.slice(0, at)).at(-1);
  return run?.ok === false && run.use.command !== null ? run : null;
}

function commandOf({ use }: ToolEvent): string | null {
  return use.command?.replace(/\s+/gu, ' ').trim() ?? null;
}

function passedLater({ events }: Attempt, failing: ToolEvent | null): string | null {
  if (!failing) return null;
  const tools = toolsOf(events);
  const after = tools.slice(tools.indexOf(failing) + 1);
  const passed = after.findIndex((event) => event.ok === true && commandOf(event) === commandOf(failing));
  if (passed < 0) return null;
  const between = after.slice(0, passed).filter(({ ok, use }) => ok === true && use.added !== null);
  if (between.some(({ use }) => onlySkips(use))) return 'not fixed: what failed was made not to run';
  return `passed later, no ${between.length > 0 ? 'lasting ' : ''}change was recorded`;
}

/** The failing tests of a recorded failure by name; empty where it names none. */
export function failingTests(attempt: Attempt, source: string): string[] {
  return failed(attempt, source)?.failure?.tests.map(({ name }) => name) ?? [];
}

/** The changes of an attempt that succeeded and that fixed nothing, the last first: what else was tried. */
export function otherChanges(attempt: Attempt, context: StoryContext): Change[] {
  return otherEdits(attempt)
    .map((event) => changeOf(event, context))
    .reverse();
}

function otherEdits(attempt: Attempt): ToolEvent[] {
  const fixing = new Set(attempt.events.flatMap((event) => nodeOf(event).resolved_by));
  const isChange = (event: ToolEvent) => isEdit(event) || (event.ok === true && event.use.reported !== null);
  return toolsOf(attempt.events).filter((event) => isChange(event) && !fixing.has(event.tool.id));
}

/** Edits of the files that a fix is in, before the last run of the command that failed before it. */
function failedTries(attempt: Attempt, [first, ...more]: readonly ToolEvent[], command: string | null) {
  if (command === null || !first) return [];
  const files = new Set([first, ...more].map(({ use }) => use.file));
  const before = toolsOf(attempt.events.slice(0, attempt.events.indexOf(first)));
  const failed = before.findLastIndex((event) => event.ok === false && commandOf(event) === command);
  const tries = new Set(before.slice(0, Math.max(0, failed)));
  return otherEdits(attempt).filter((event) => tries.has(event) && files.has(event.use.file));
}

/** A change as what it made of the text before the tries whose own text it replaced: that is in no file any more. */
function fromBefore(change: Change, tries: readonly Change[]): Change {
  const fold = (removed: readonly string[], { file, removed: before, added }: Change) => {
    const isOwn = removed.length > 0 && file === change.file && removed.every((line) => added.includes(line));
    return isOwn ? before : removed;
  };
  return { ...change, removed: tries.reduceRight(fold, change.removed) };
}

/** The edits of an attempt that succeeded, in the order of time. */
export function edits({ events }: Attempt): ToolEvent[] {
  return toolsOf(events).filter(isEdit);
}

function isEdit({ ok, use }: ToolEvent): boolean {
  return ok === true && use.command === null && use.added !== null && use.file !== null;
}

/**
 * The lines that differ between an edit's two texts, without indentation. Where it only took lines out, those
 * that stay are given; where it put in short ones, the line before (`above`) or after them (`below`) says
 * where.
 */
export function changedLines({ removed, added }: Pick<ToolUse, 'removed' | 'added'>) {
  const [before, after] = [linesOf(removed), linesOf(added)];
  const [was, is] = [new Set(before), new Set(after)];
  const gone = before.filter((line) => !is.has(line));
  const put = after.filter((line) => !was.has(line));
  const isShort = put.length > 0 && put.every((line) => line.length < SHORT_LINE);
  const stays = (at: number) =>
    after.slice(Math.max(0, at), at + 1).filter((line) => isShort && was.has(line));
  const above = stays(after.indexOf(put[0] ?? '') - 1);
  return {
    removed: (gone.length > 0 || put.length > 0 ? gone : before).slice(0, MOST_LINES),
    added: (put.length > 0 ? put : after).slice(0, MOST_LINES),
    above,
    below: above.length > 0 ? [] : stays(after.lastIndexOf(put.at(-1) ?? '') + 1),
  };
}

/** Both sides of a change with a neighbouring line. */
export function sidesOf({ removed, added, above, below }: Change) {
  return { removed: [...above, ...removed, ...below], added: [...above, ...added, ...below] };
}

/** A tool use as a change. */
export function changeOf({ tool, use, step }: ToolEvent, { placeOf, root }: StoryContext): Change {
  const { command, file, added, reported } = use;
  const place = command !== null || file === null ? null : (placeOf(file) ?? file);
  const lines = command === null ? changedLines(use) : { removed: [], added: [], above: [], below: [] };
  return {
    tool: tool.id,
    step,
    kind: command === null ? 'edit' : 'command',
    file: place,
    line: place === null ? null : lineOf(root, place, added ?? '', lines.added[0]),
    ...lines,
    command: command === null ? null : shownLine(command, MESSAGE),
    reported: reported === null ? null : shownLine(reported, MESSAGE),
  };
}

function toolsOf(events: readonly AttemptEvent[]): ToolEvent[] {
  return events.filter((event) => event.kind === 'tool');
}

function failed({ events }: Attempt, source: string) {
  const error = events.find((event) => event.kind === 'error' && event.error.tool_id === source);
  const event = error ?? events.find((one) => idOf(one) === source);
  if (!event) return null;
  const node = nodeOf(event);
  return { node, failure: Failure.safeParse(node.failure).data ?? null };
}

/** Changes that fixed a failure: of one test those that its own section or the code graph leads to first. */
function byRelevance(
  changes: readonly Change[],
  test: FailingTest | null,
  failure: Failure | null,
  { placeOf, distances }: StoryContext,
): Change[] {
  const isIn = (file: string, some: readonly Frame[] = []) =>
    some.some((frame) => placeOf(frame.file) === file || frame.file.endsWith(`/${file}`));
  const words = wordsIn(`${test?.name ?? ''} ${test?.reason ?? ''}`);
  // A test is often written alongside the fix, and prose is none; of changes that fixed several tests some belong to others.
  const isText = (file: string) => failure?.type === 'test_failure' && isProse(file);
  const place = ({ file }: Change) => (file === null ? 0 : isText(file) ? 2 : Number(isTestPath(file)));
  const first = Math.min(...changes.map(place));
  const likely = changes.filter((change) => place(change) === first);
  const reached = likely.filter(({ file }) => distances?.has(file ?? ''));
  const ranked = (reached.length > 0 ? reached : likely).map((change, at) => {
    const { file, added, removed } = change;
    const own = wordsIn(`${file} ${added.join(' ')} ${removed.join(' ')}`);
    const keys = [
      Number(file !== null && isIn(file, test?.frames)),
      -(distances?.get(file ?? '') ?? Number.MAX_VALUE),
      [...own].filter((word) => words.has(word)).length,
      Number(file !== null && isIn(file, failure?.frames)),
      at,
    ];
    return { change, keys };
  });
  ranked.sort((a, b) => b.keys.reduce((order, worth, at) => order || worth - (a.keys[at] ?? 0), 0));
  return ranked.map(({ change }) => change);
}

function wordsIn(text: string): ReadonlySet<string> {
  const words = text.match(/\p{Lu}?\p{Ll}{2,}|\p{Lu}{3,}/gu) ?? [];
  return new Set(words.map((word) => word.toLowerCase().replace(/s$/u, '')));
}

function lineOf(root: string | null, file: string, added: string, first: string | undefined): number | null {
  if (root === null || added.trim() === '') return null;
  try {
    const read = readText({ diskPath: insideRoot(root, file).diskPath }, { maxFileBytes: LARGEST_FILE });
    const at = read.ok ? read.text.indexOf(added) : -1;
    if (!read.ok || at < 0 || read.text.includes(added, at + 1)) return null;
    const before = added.split('\n').findIndex((line) => shownLine(line, LINE) === first);
    return read.text.slice(0, at).split('\n').length + Math.max(0, before);
  } catch {
    return null;
  }
}

function linesOf(text: string | null): string[] {
  const lines = (text ?? '').split('\n').map((line) => shownLine(line, LINE));
  return lines.filter((line) => line !== '');
}
