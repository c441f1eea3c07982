import { type FailingTest, Failure, type Frame } from '../../failures/index.js';
import { firstLine, shownLine } from '../../present/index.js';
import type { NodeRef } from '../../runtime/index.js';
import type { ToolInvocation, TraceError } from '../../schema/index.js';
import { insideRoot, isTestPath, readText } from '../../source/index.js';
import { type Attempt, type AttemptEvent, idOf } from './attempt.js';
import type { PlaceOf } from './places.js';
import type { ToolUse } from './tool-use.js';

/*
 * An attempt as an answer tells it: what was asked, what failed, what fixed it, and what else was tried. What fixed a
 * failure was decided when it was recorded; here it is read from the failing tool use or error.
 */

/** Lines of one side of a change, and characters of one. */
const MOST_LINES = 12;
const LINE = 200;
/** Bytes of a file in which a change is looked for. */
const LARGEST_FILE = 1_000_000;
/** Characters of a message. */
const MESSAGE = 300;

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
  readonly command: string | null;
}

/** What failed in an attempt, with what fixed it. */
export interface ReportedFailure {
  /** Id of the failing tool use or error. */
  readonly source: string;
  /** The failing test; null: the failure as a whole. */
  readonly test: string | null;
  /** Why it failed, in one line; empty where nothing says. */
  readonly reason: string;
  /** What fixed it, the most relevant first. Empty: nothing was seen to fix it. */
  readonly fixes: readonly Change[];
}

/** What an answer needs besides an attempt. */
export interface StoryContext {
  readonly placeOf: PlaceOf;
  /** The project's root; null for a graph in memory. */
  readonly root: string | null;
  /** How near a file is to a test by the code graph: smaller is nearer; absent: it does not reach it. */
  readonly distances?: ReadonlyMap<string, number>;
}

type FailedNode = NodeRef<typeof ToolInvocation> | NodeRef<typeof TraceError>;
type ToolEvent = Extract<AttemptEvent, { kind: 'tool' }>;

/** Whether an event reports that something went wrong. */
export function isFailure(event: AttemptEvent): boolean {
  return event.kind === 'error' || event.ok === false;
}

/**
 * The failure that an attempt is best described by: one that was fixed before one that was not, a command's before an
 * edit's that did not fit. Null where nothing failed.
 */
export function mainFailure({ events }: Attempt): string | null {
  const failed = events.filter(isFailure);
  const commands = new Set(
    events.flatMap((event) => (event.kind === 'tool' && event.use.command !== null ? [event.tool.id] : [])),
  );
  const worth = (event: AttemptEvent) =>
    2 * Number(commands.has(event.kind === 'error' ? (event.error.tool_id ?? '') : event.tool.id)) +
    Number(nodeOf(event).resolved_by.length > 0);
  const best = failed.reduce<AttemptEvent | null>(
    (found, event) => (found === null || worth(event) > worth(found) ? event : found),
    null,
  );
  return best && idOf(best);
}

/**
 * One failure of an attempt with its fix.
 *
 * @param source The failing tool use or error; of a tool use its error says more.
 * @param test One of its tests; null: the failure as a whole.
 */
export function failureOf(
  attempt: Attempt,
  source: string,
  test: string | null,
  context: StoryContext,
): ReportedFailure | null {
  const node = failedNode(attempt, source);
  if (!node) return null;
  const failure = Failure.safeParse(node.failure).data ?? null;
  const failing = failure?.tests.find(({ name }) => name === test) ?? null;
  const said =
    'message' in node
      ? node.message
      : (failure?.reason ?? firstLine(`${node.stderr}\n${node.stdout}`, MESSAGE));
  const isOne = test === null || failing === null;
  const reason = isOne ? said : (failing.reason ?? '');
  return {
    source: node.id,
    test: failing?.name ?? null,
    reason: shownLine(reason, MESSAGE),
    fixes: fixesOf(attempt, node, failing, failure?.frames ?? [], context),
  };
}

/** The failing tests of a recorded failure by name; empty where it names none. */
export function failingTests(attempt: Attempt, source: string): string[] {
  const node = failedNode(attempt, source);
  const failure = Failure.safeParse(node?.failure).data;
  return failure?.tests.map(({ name }) => name) ?? [];
}

/** The changes of an attempt that succeeded and that fixed nothing, the last first: what else was tried. */
export function otherChanges(attempt: Attempt, context: StoryContext): Change[] {
  const fixing = new Set(attempt.events.flatMap((event) => nodeOf(event).resolved_by));
  return edits(attempt)
    .filter(({ tool }) => !fixing.has(tool.id))
    .map((event) => changeOf(event, context))
    .reverse();
}

/** The edits of an attempt that succeeded, in the order of time. */
export function edits({ events }: Attempt): ToolEvent[] {
  return events.filter(
    (event): event is ToolEvent =>
      event.kind === 'tool' &&
      event.ok === true &&
      event.use.command === null &&
      event.use.added !== null &&
      event.use.file !== null,
  );
}

/**
 * The lines that differ between an edit's old and new text, without their indentation. Where an edit only took lines
 * out, or moved them, those that stay are given: they say where.
 */
export function changedLines({ removed, added }: Pick<ToolUse, 'removed' | 'added'>) {
  const [before, after] = [linesOf(removed), linesOf(added)];
  const [was, is] = [new Set(before), new Set(after)];
  const gone = before.filter((line) => !is.has(line));
  const put = after.filter((line) => !was.has(line));
  return {
    removed: (gone.length > 0 || put.length > 0 ? gone : before).slice(0, MOST_LINES),
    added: (put.length > 0 ? put : after).slice(0, MOST_LINES),
  };
}

/** A tool use as a change. */
export function changeOf({ tool, use, step }: ToolEvent, { placeOf, root }: StoryContext): Change {
  const isEdit = use.command === null;
  const file = use.file === null ? null : (placeOf(use.file) ?? use.file);
  const lines = isEdit ? changedLines(use) : { removed: [], added: [] };
  return {
    tool: tool.id,
    step,
    kind: isEdit ? 'edit' : 'command',
    file: isEdit ? file : null,
    line: isEdit && file !== null ? lineOf(root, file, use.added ?? '', lines.added[0]) : null,
    ...lines,
    command: isEdit ? null : shownLine(use.command ?? '', MESSAGE),
  };
}

function nodeOf(event: AttemptEvent): FailedNode {
  return event.kind === 'tool' ? event.tool : event.error;
}

/** The error of a failing tool use, else the tool use itself. */
function failedNode({ events }: Attempt, source: string): FailedNode | null {
  const own = events.find((event) => idOf(event) === source);
  const error = events.find((event) => event.kind === 'error' && event.error.tool_id === source);
  const event = error ?? own;
  return event ? nodeOf(event) : null;
}

/** What fixed a failure: of one test the changes that its own section or the code graph leads to first. */
function fixesOf(
  attempt: Attempt,
  node: FailedNode,
  test: FailingTest | null,
  frames: readonly Frame[],
  context: StoryContext,
): Change[] {
  const own = test && Object.hasOwn(node.fixes, test.name) ? node.fixes[test.name] : undefined;
  const ids = own ?? node.resolved_by;
  const tools = attempt.events.filter((event): event is ToolEvent => event.kind === 'tool');
  const changes = ids.flatMap((id) => {
    const event = tools.find(({ tool }) => tool.id === id);
    return event ? [changeOf(event, context)] : [];
  });
  const named = (some: readonly Frame[], file: string) =>
    some.some((frame) => context.placeOf(frame.file) === file || frame.file.endsWith(`/${file}`));
  const words = wordsIn(`${test?.name ?? ''} ${test?.reason ?? ''}`);
  const worth = ({ file, added, removed }: Change, at: number): readonly number[] => {
    const distance = context.distances?.get(file ?? '') ?? Number.POSITIVE_INFINITY;
    const shared = [...wordsIn(`${file} ${added.join(' ')} ${removed.join(' ')}`)].filter((word) =>
      words.has(word),
    );
    return [
      -Number(file !== null && named(test?.frames ?? [], file)),
      distance,
      -shared.length,
      -Number(file !== null && named(frames, file)),
      -at,
    ];
  };
  // A test is often written alongside the fix; and of changes that fixed several tests some belong to others.
  const ofCode = changes.filter(({ file }) => file === null || !isTestPath(file));
  const likely = ofCode.length > 0 ? ofCode : changes;
  const reached = likely.filter(({ file }) => context.distances?.has(file ?? ''));
  return (reached.length > 0 ? reached : likely)
    .map((change, at) => ({ change, worth: worth(change, at) }))
    .sort((a, b) => a.worth.reduce((order, one, at) => order || difference(one, b.worth[at] ?? 0), 0))
    .map(({ change }) => change);
}

function difference(a: number, b: number): number {
  return a === b ? 0 : a - b;
}

/** The words of names and prose, plural and singular as one. */
function wordsIn(text: string): ReadonlySet<string> {
  const words = text.match(/\p{Lu}?\p{Ll}{2,}|\p{Lu}{3,}/gu) ?? [];
  return new Set(words.map((word) => word.toLowerCase().replace(/s$/u, '')));
}

/** Where the first new line of an edit stands in the file now; null where it does not, or in several places. */
function lineOf(root: string | null, file: string, added: string, first: string | undefined): number | null {
  if (root === null || added.trim() === '') return null;
  try {
    const read = readText({ diskPath: insideRoot(root, file).diskPath }, { maxFileBytes: LARGEST_FILE });
    if (!read.ok) return null;
    const at = read.text.indexOf(added);
    if (at < 0 || read.text.includes(added, at + 1)) return null;
    const before = added.split('\n').findIndex((line) => shownLine(line, LINE) === first);
    return read.text.slice(0, at).split('\n').length + Math.max(0, before);
  } catch {
    return null;
  }
}

function linesOf(text: string | null): string[] {
  return (text ?? '')
    .split('\n')
    .map((line) => shownLine(line, LINE))
    .filter((line) => line !== '');
}
