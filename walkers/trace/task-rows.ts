import { z } from 'zod';
import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  CheckpointNode,
  ERROR_TYPES,
  File,
  parseId,
  STEP_ROLES,
  Step,
  StepHasCheckpoint,
  StepHasError,
  StepInvokesTool,
  TASK_STATUSES,
  type Task,
  TaskHasStep,
  ToolInvocation,
  ToolTouchesFile,
  TraceError,
} from '../../schema/index.js';
import { firstLine, stripHidden } from '../shown-text.js';

const text = z.string();
const count = z.number().int();
const time = text.nullable();

/** One task in a list. */
export const TaskRow = z.object({
  task_id: text,
  status: z.enum(TASK_STATUSES),
  created_at: text,
  ended_at: time,
  /** The first line of what was asked. */
  prompt: text,
  steps: count,
  tools: count,
  errors: count,
  files: z.array(text),
});
/** See {@link TaskRow}. */
export type TaskRow = z.infer<typeof TaskRow>;

const ToolRow = z.object({
  tool_id: text,
  tool_name: text,
  started_at: time,
  duration_ms: z.number().nullable(),
  /** Null: it has not ended. */
  success: z.boolean().nullable(),
  files: z.array(text),
  /** The last line of what it wrote to stderr. */
  stderr: text,
});

const ErrorRow = z.object({
  error_id: text,
  error_type: z.enum(ERROR_TYPES),
  message: text,
  created_at: time,
});

/** One step of a task, with what happened in it. */
export const StepRow = z.object({
  step_id: text,
  order: count,
  role: z.enum(STEP_ROLES).nullable(),
  summary: text,
  started_at: time,
  ended_at: time,
  files: z.array(text),
  tools: z.array(ToolRow),
  errors: z.array(ErrorRow),
  checkpoints: z.array(text),
});
/** See {@link StepRow}. */
export type StepRow = z.infer<typeof StepRow>;

type Reading = Pick<ReadContext, 'q'>;

/** A task as a row of a list. */
export async function taskRow(task: NodeRef<typeof Task>, { q }: Reading): Promise<TaskRow> {
  const steps = () => q(task).out(TaskHasStep);
  return {
    task_id: task.id,
    status: task.status,
    created_at: task.created_at,
    ended_at: task.ended_at,
    prompt: firstLine(task.user_prompt),
    steps: (await steps().ids()).length,
    tools: (await steps().out(StepInvokesTool).ids()).length,
    errors: (await steps().out(StepHasError).ids()).length,
    files: [...task.files_touched],
  };
}

/** The steps of a task in their order, with what happened in each. */
export async function stepRows(task: NodeRef<typeof Task>, context: Reading): Promise<StepRow[]> {
  const steps = await context.q(task).out(TaskHasStep).of(Step);
  const rows = await Promise.all(steps.map((step) => stepRow(step, context)));
  return rows.sort(
    (a, b) =>
      a.order - b.order ||
      compareText(a.started_at ?? '', b.started_at ?? '') ||
      compareText(a.step_id, b.step_id),
  );
}

async function stepRow(step: NodeRef<typeof Step>, context: Reading): Promise<StepRow> {
  const { q } = context;
  const tools = await q(step).out(StepInvokesTool).of(ToolInvocation);
  const errors = await q(step).out(StepHasError).of(TraceError);
  const checkpoints = await q(step).out(StepHasCheckpoint).of(CheckpointNode);
  return {
    step_id: step.id,
    order: step.order,
    role: step.role,
    summary: stripHidden(step.llm_summary),
    started_at: step.started_at,
    ended_at: step.ended_at,
    files: [...step.files_touched],
    tools: (await Promise.all(tools.map((tool) => toolRow(tool, context)))).sort(
      byTime(({ tool_id, started_at }) => [started_at, tool_id]),
    ),
    errors: errors
      .map(({ id, error_type, message, created_at }) => ({
        error_id: id,
        error_type,
        message: stripHidden(message),
        created_at,
      }))
      .sort(byTime(({ error_id, created_at }) => [created_at, error_id])),
    checkpoints: checkpoints.map(({ checkpoint_file }) => stripHidden(checkpoint_file)).sort(compareText),
  };
}

async function toolRow(tool: NodeRef<typeof ToolInvocation>, { q }: Reading) {
  const files = await q(tool).out(ToolTouchesFile).of(File).ids();
  return {
    tool_id: tool.id,
    tool_name: stripHidden(tool.tool_name),
    started_at: tool.started_at ?? tool.ended_at,
    duration_ms: tool.duration_ms,
    success: tool.success,
    files: files.map((id) => parseId(id)?.path ?? id),
    stderr: firstLine(tool.stderr.trimEnd().slice(-500).split('\n').at(-1) ?? ''),
  };
}

function byTime<T>(keyOf: (row: T) => readonly [string | null, string]): (a: T, b: T) => number {
  return (left, right) => {
    const [[a, x], [b, y]] = [keyOf(left), keyOf(right)];
    return compareText(a ?? '', b ?? '') || compareText(x, y);
  };
}
