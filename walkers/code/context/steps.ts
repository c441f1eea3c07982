import { shownLine } from '../../../present/index.js';
import { compareText, type NodeRef, type ReadContext } from '../../../runtime/index.js';
import {
  fileId,
  LIMITS,
  Step,
  StepHasError,
  StepInvokesTool,
  Task,
  TaskHasStep,
  ToolTouchesFile,
  TraceError,
} from '../../../schema/index.js';
import type { StepRow } from './context-rows.js';

/** Characters of a prompt, a summary or a message: enough to know whether to ask for more. */
const SHOWN = 160;
/** Failures of one step that are shown. */
const MOST_ERRORS = 3;

/** The steps of earlier tasks that touched files, the latest first, and how many there are. */
export async function earlierSteps(
  context: Pick<ReadContext, 'q'>,
  paths: readonly string[],
): Promise<{ rows: StepRow[]; count: number }> {
  const touched = new Map<string, { step: NodeRef<typeof Step>; path: string }>();
  for (const path of paths)
    for (const step of await context.q(fileId(path)).in(ToolTouchesFile).in(StepInvokesTool).of(Step))
      if (!touched.has(step.id)) touched.set(step.id, { step, path });
  const latest = [...touched.values()].sort(
    ({ step: a }, { step: b }) =>
      compareText(b.started_at ?? '', a.started_at ?? '') || b.order - a.order || compareText(a.id, b.id),
  );
  const rows: StepRow[] = [];
  for (const { step, path } of latest.slice(0, LIMITS.contextSteps.max))
    rows.push(await stepRow(context, step, path));
  return { rows, count: touched.size };
}

async function stepRow(
  context: Pick<ReadContext, 'q'>,
  step: NodeRef<typeof Step>,
  path: string,
): Promise<StepRow> {
  const [task] = await context.q(step).in(TaskHasStep).of(Task);
  const errors = await context.q(step).out(StepHasError).of(TraceError);
  const fixed = task && errors.length > 0 ? await fixingStep(context, task, step) : undefined;
  return {
    id: step.id,
    order: step.order,
    role: step.role,
    summary: shownLine(step.llm_summary, SHOWN),
    path,
    started_at: step.started_at,
    task: task ? { id: task.id, prompt: shownLine(task.user_prompt, SHOWN), status: task.status } : null,
    errors: errors
      .slice(0, MOST_ERRORS)
      .map(({ error_type, message }) => ({ type: error_type, message: shownLine(message, SHOWN) })),
    resolved_by: fixed ? { id: fixed.id, summary: shownLine(fixed.llm_summary, SHOWN) } : null,
  };
}

/**
 * What mended a failure, as far as a trace can tell: the last step of the same task that changed a file before the
 * first later step without a failure, that step included; nothing where every later step failed too.
 */
async function fixingStep(
  { q }: Pick<ReadContext, 'q'>,
  task: NodeRef<typeof Task>,
  failed: NodeRef<typeof Step>,
): Promise<NodeRef<typeof Step> | undefined> {
  const steps = await q(task).out(TaskHasStep).of(Step);
  const later = steps.filter(({ order }) => order > failed.order).sort((a, b) => a.order - b.order);
  let changing: NodeRef<typeof Step> | undefined;
  for (const step of later) {
    const writes = await q(step).out(StepInvokesTool).out(ToolTouchesFile, { use: 'write' }).ids();
    if (writes.length > 0) changing = step;
    if ((await q(step).out(StepHasError).ids()).length === 0 && changing) return changing;
  }
  return undefined;
}
