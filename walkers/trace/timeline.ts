import { z } from 'zod';
import { Failure } from '../../failures/index.js';
import {
  type Attempt,
  type AttemptEvent,
  changedLines,
  placesIn,
  readAttempts,
  type StoryContext,
} from '../../graphs/trace/index.js';
import { firstLine, shownLine, stripHidden } from '../../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  append,
  CheckpointNode,
  type EdgeType,
  ERROR_TYPES,
  parseId,
  STEP_ROLES,
  StepHasCheckpoint,
  type Task,
  type ToolInvocation,
  ToolTouchesFile,
  ToolTouchesSymbol,
} from '../../schema/index.js';
import { shownMessage } from './find-traced.js';
import { failedTests, ResolutionRow, resolutionRow } from './rows.js';

const text = z.string();
const texts = z.array(text);
const count = z.number().int();
/** ISO 8601. */
const time = text.nullable();

/** One use of a tool. */
export const ToolRow = z.object({
  kind: z.literal('tool'),
  tool_id: text,
  at: time,
  tool_name: text,
  /** The shell command that it ran, and the file that it is about, as its parameters say. */
  command: text.nullable(),
  file: text.nullable(),
  /** Of an edit: how many lines differ on either side. */
  added: count.nullable(),
  removed: count.nullable(),
  duration_ms: z.number().nullable(),
  /** Null: it has not ended. */
  success: z.boolean().nullable(),
  /** Root-relative paths that it touched. */
  files: texts,
  /** Ids of the symbols that it changed. */
  symbols: texts,
  /** Of one that failed: the line that says why. */
  said: text,
});
export type ToolRow = z.infer<typeof ToolRow>;

/** One error. */
export const ErrorRow = z.object({
  kind: z.literal('error'),
  error_id: text,
  /** The use of a tool that met it. */
  tool_id: text.nullable(),
  at: time,
  error_type: z.enum(ERROR_TYPES),
  message: text,
  /** Names of the tests that failed. */
  tests: texts,
  resolved_by: ResolutionRow.nullable(),
});
export type ErrorRow = z.infer<typeof ErrorRow>;

/** One checkpoint. */
export const CheckpointRow = z.object({
  kind: z.literal('checkpoint'),
  checkpoint_id: text,
  at: time,
  checkpoint_file: text,
});

/** One thing that happened in a step. */
export const EventRow = z.discriminatedUnion('kind', [ToolRow, ErrorRow, CheckpointRow]);
export type EventRow = z.infer<typeof EventRow>;

/** One step of a task, with what happened in it. */
export const StepRow = z.object({
  step_id: text,
  order: count,
  role: z.enum(STEP_ROLES).nullable(),
  /** The sub agent whose work it is; null: the agent's own. */
  agent: text.nullable(),
  summary: text,
  started_at: time,
  ended_at: time,
  /** By time. */
  events: z.array(EventRow),
  /** Events that the budget left out. */
  left_out: count,
});
export type StepRow = z.infer<typeof StepRow>;

/** Characters of a command, and of a message. */
const COMMAND = 500;
const MESSAGE = 2000;
/** Tests that one error names. */
const MOST_TESTS = 20;

type Reading = Pick<ReadContext, 'q' | 'nodesOf' | 'projectRoot'>;

/** Ids of what a tool touched, by tool. */
type Touched = ReadonlyMap<string, readonly string[]>;

/** What a row is made from beside its event. */
interface Around {
  readonly attempt: Attempt;
  readonly files: Touched;
  readonly symbols: Touched;
  readonly story: StoryContext;
}

/** The steps of a task in their order, with what happened in each by time. */
export async function timelineOf(task: NodeRef<typeof Task>, context: Reading): Promise<StepRow[]> {
  const { projectRoot: root } = context;
  const story = { placeOf: placesIn(root), root };
  const rows: StepRow[] = [];
  for await (const attempt of readAttempts(context, [task.id])) {
    const checkpoints = await checkpointsOf(attempt, context);
    const files = await touchedBy(attempt, ToolTouchesFile, context);
    const symbols = await touchedBy(attempt, ToolTouchesSymbol, context);
    for (const step of attempt.steps) {
      const events = attempt.events
        .filter((event) => event.step === step.id)
        .map((event) => eventRow(event, { attempt, files, symbols, story }));
      rows.push({
        step_id: step.id,
        order: step.order,
        role: step.role,
        agent: step.agent,
        summary: stripHidden(step.llm_summary),
        started_at: step.started_at,
        ended_at: step.ended_at,
        events: [...events, ...(checkpoints.get(step.id) ?? [])].sort(byTime),
        left_out: 0,
      });
    }
  }
  return rows;
}

function eventRow(event: AttemptEvent, { attempt, files, symbols, story }: Around): EventRow {
  if (event.kind === 'error') {
    const { id, created_at, error_type, message, tool_id } = event.error;
    return {
      kind: 'error',
      error_id: id,
      tool_id,
      at: created_at,
      error_type,
      message: stripHidden(message.slice(0, MESSAGE)),
      tests: failedTests(event.error).slice(0, MOST_TESTS),
      resolved_by: resolutionRow(attempt, id, story),
    };
  }
  const { tool, use } = event;
  // One that failed changed nothing.
  const isEdit = use.command === null && use.added !== null && tool.success !== false;
  const { added, removed } = isEdit ? changedLines(use) : { added: null, removed: null };
  return {
    kind: 'tool',
    tool_id: tool.id,
    at: tool.started_at ?? tool.ended_at,
    tool_name: shownLine(tool.tool_name),
    command: use.command === null ? null : shownLine(use.command, COMMAND),
    file: use.file === null ? null : shownLine(story.placeOf(use.file) ?? use.file, COMMAND),
    added: added?.length ?? null,
    removed: removed?.length ?? null,
    duration_ms: tool.duration_ms,
    success: tool.success,
    files: (files.get(tool.id) ?? []).map((id) => parseId(id)?.path ?? id),
    symbols: [...(symbols.get(tool.id) ?? [])],
    said: tool.success === false ? whyItFailed(attempt, tool) : '',
  };
}

/**
 * Why a use of a tool failed, in a line: the error that was recorded of it says so (it names it, or comes next and names
 * none), else its output.
 */
function whyItFailed({ events }: Attempt, tool: NodeRef<typeof ToolInvocation>): string {
  const { id } = tool;
  const next = events.findIndex((event) => event.kind === 'tool' && event.tool.id === id) + 1;
  const told = events.find(
    (event, at) =>
      event.kind === 'error' && (event.error.tool_id === id || (at === next && event.error.tool_id === null)),
  );
  return told?.kind === 'error' ? shownMessage(told.error) : reasonOf(tool);
}

function reasonOf({ failure, stdout, stderr }: NodeRef<typeof ToolInvocation>): string {
  const { reason } = Failure.safeParse(failure).data ?? {};
  return shownLine(reason ?? firstLine(`${stderr}\n${stdout}`, COMMAND), COMMAND);
}

/** What the tools of an attempt touched, by tool: ids, in the order of the graph. */
async function touchedBy({ events }: Attempt, edge: EdgeType, { q }: Reading): Promise<Touched> {
  const tools = events.flatMap((event) => (event.kind === 'tool' ? [event.tool.id] : []));
  const touched = new Map<string, string[]>();
  for (const { from, to } of await q(tools).out(edge).edges()) append(touched, from, to);
  return touched;
}

async function checkpointsOf({ steps }: Attempt, { q, nodesOf }: Reading): Promise<Map<string, EventRow[]>> {
  const edges = await q(steps).out(StepHasCheckpoint).edges();
  const nodes = await nodesOf(
    CheckpointNode,
    edges.map(({ to }) => to),
  );
  const rows = new Map<string, EventRow[]>();
  for (const [at, { from }] of edges.entries()) {
    const node = nodes[at];
    if (!node) continue;
    const { id, created_at, checkpoint_file } = node;
    const row = {
      kind: 'checkpoint' as const,
      checkpoint_id: id,
      at: created_at,
      checkpoint_file: shownLine(checkpoint_file, COMMAND),
    };
    append(rows, from, row);
  }
  return rows;
}

function byTime(a: EventRow, b: EventRow): number {
  return compareText(a.at ?? '', b.at ?? '') || compareText(idOf(a), idOf(b));
}

function idOf(event: EventRow): string {
  return event.kind === 'tool'
    ? event.tool_id
    : event.kind === 'error'
      ? event.error_id
      : event.checkpoint_id;
}
