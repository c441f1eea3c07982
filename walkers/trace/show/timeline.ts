import { type Attempt, type AttemptEvent, readAttempts } from '../../../graphs/trace/index.js';
import { stripHidden } from '../../../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../../../runtime/index.js';
import {
  append,
  CheckpointNode,
  type EdgeType,
  parseId,
  StepHasCheckpoint,
  type Task,
  type ToolInvocation,
  ToolTouchesFile,
  ToolTouchesSymbol,
} from '../../../schema/index.js';
import { shownLine } from '../../shown-text.js';
import { relative } from '../attempts/attempt-rows.js';
import { changedLines } from '../attempts/changed-lines.js';
import { failedTests } from '../failing-tests.js';
import { mendingSteps, mendRow } from '../mend-row.js';
import { failingLine, tellingLine } from '../telling-line.js';
import type { EventRow, StepRow } from './timeline-rows.js';

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
  /** The steps that mended errors, by error. */
  readonly mending: ReadonlyMap<string, string>;
  readonly root: string | null;
}

/** The steps of a task in their order, with what happened in each by time. */
export async function timelineOf(task: NodeRef<typeof Task>, context: Reading): Promise<StepRow[]> {
  const rows: StepRow[] = [];
  for await (const attempt of readAttempts(context, [task.id])) {
    const checkpoints = await checkpointsOf(attempt, context);
    const files = await touchedBy(attempt, ToolTouchesFile, context);
    const symbols = await touchedBy(attempt, ToolTouchesSymbol, context);
    const errors = attempt.events.flatMap((event) => (event.kind === 'error' ? [event.error.id] : []));
    const mending = await mendingSteps(context, errors);
    for (const step of attempt.steps) {
      const events = attempt.events
        .filter((event) => event.step === step.id)
        .map((event) => eventRow(event, { attempt, files, symbols, mending, root: context.projectRoot }));
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

function eventRow(event: AttemptEvent, { attempt, files, symbols, mending, root }: Around): EventRow {
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
      resolved_by: mendRow(attempt, id, root, mending),
    };
  }
  const { tool, use } = event;
  // One that failed changed nothing.
  const isEdit = use.command === null && use.added !== null && tool.success !== false;
  const { now, removed } = isEdit ? changedLines(use) : { now: null, removed: null };
  return {
    kind: 'tool',
    tool_id: tool.id,
    at: tool.started_at ?? tool.ended_at,
    tool_name: shownLine(tool.tool_name),
    command: use.command === null ? null : shownLine(use.command, COMMAND),
    file: use.file === null ? null : shownLine(relative(use.file, root), COMMAND),
    added: now?.length ?? null,
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
function whyItFailed({ events }: Attempt, { id, stdout, stderr }: NodeRef<typeof ToolInvocation>): string {
  const next = events.findIndex((event) => event.kind === 'tool' && event.tool.id === id) + 1;
  const told = events.find(
    (event, at) =>
      event.kind === 'error' && (event.error.tool_id === id || (at === next && event.error.tool_id === null)),
  );
  return told?.kind === 'error' ? tellingLine(told.error.message) : failingLine([stderr, stdout].join('\n'));
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
