import { z } from 'zod';
import type { NodeRef, ReadContext } from '../../../runtime/index.js';
import {
  StepHasError,
  StepInvokesTool,
  TASK_STATUSES,
  type Task,
  TaskHasStep,
} from '../../../schema/index.js';
import { firstLine } from '../../shown-text.js';

/** Characters of what was asked. */
const PROMPT = 200;

const text = z.string();
const count = z.number().int();

/** One task in a list. */
export const TaskRow = z.object({
  task_id: text,
  status: z.enum(TASK_STATUSES),
  created_at: text,
  ended_at: text.nullable(),
  client: text.nullable(),
  session_id: text.nullable(),
  /** The first line of what was asked. */
  prompt: text,
  steps: count,
  tools: count,
  errors: count,
  /** Root-relative, by name. */
  files: z.array(text),
});
export type TaskRow = z.infer<typeof TaskRow>;

/** A task as a row of a list. */
export async function taskRow(task: NodeRef<typeof Task>, { q }: Pick<ReadContext, 'q'>): Promise<TaskRow> {
  const steps = () => q(task).out(TaskHasStep);
  return {
    task_id: task.id,
    status: task.status,
    created_at: task.created_at,
    ended_at: task.ended_at,
    client: task.client,
    session_id: task.session_id,
    prompt: firstLine(task.user_prompt, PROMPT),
    steps: (await steps().ids()).length,
    tools: (await steps().out(StepInvokesTool).ids()).length,
    errors: (await steps().out(StepHasError).ids()).length,
    files: [...task.files_touched],
  };
}
