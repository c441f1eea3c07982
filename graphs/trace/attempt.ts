import { compareText, type NodeRef } from '../../runtime/index.js';
import type { Step, Task, ToolInvocation, TraceError } from '../../schema/index.js';
import { type ToolUse, toolUse } from './tool-use.js';

/** One thing that happened in an attempt, in the order of time. */
export type AttemptEvent =
  | {
      readonly kind: 'tool';
      readonly step: string;
      readonly tool: NodeRef<typeof ToolInvocation>;
      readonly use: ToolUse;
      /** Whether it succeeded; null: not told. One that an error names did not, whatever it ended with. */
      readonly ok: boolean | null;
    }
  | { readonly kind: 'error'; readonly step: string; readonly error: NodeRef<typeof TraceError> };

/** One task with all that is recorded of it: what was asked, done, and went wrong. */
export interface Attempt {
  readonly task: NodeRef<typeof Task>;
  readonly steps: readonly NodeRef<typeof Step>[];
  readonly events: readonly AttemptEvent[];
}

/** A step of an attempt with what it used and met. */
export interface StepParts {
  readonly step: NodeRef<typeof Step>;
  readonly tools: readonly NodeRef<typeof ToolInvocation>[];
  readonly errors: readonly NodeRef<typeof TraceError>[];
}

/** Puts an attempt together: steps by their order, events by time; what has no time, and ties, by id. */
export function attemptOf(task: NodeRef<typeof Task>, parts: readonly StepParts[]): Attempt {
  const sorted = [...parts].sort(({ step: a }, { step: b }) => a.order - b.order || compareText(a.id, b.id));
  const denied = new Set(sorted.flatMap(({ errors }) => errors.flatMap(({ tool_id }) => tool_id ?? [])));
  const events = sorted.flatMap(({ step, tools, errors }): AttemptEvent[] => [
    ...tools.map((tool) => ({
      kind: 'tool' as const,
      step: step.id,
      tool,
      use: toolUse(tool.params_json),
      ok: denied.has(tool.id) ? false : tool.success,
    })),
    ...errors.map((error) => ({ kind: 'error' as const, step: step.id, error })),
  ]);
  return { task, steps: sorted.map(({ step }) => step), events: events.sort(byTime) };
}

/** Whether an attempt has not ended: it may be the one that asks. */
export function isOpen({ task }: { readonly task: Pick<Attempt['task'], 'status'> }): boolean {
  return task.status === 'running' || task.status === 'planned';
}

function byTime(a: AttemptEvent, b: AttemptEvent): number {
  return compareText(timeOf(a), timeOf(b)) || compareText(idOf(a), idOf(b));
}

function timeOf(event: AttemptEvent): string {
  return (event.kind === 'tool' ? event.tool.started_at : event.error.created_at) ?? '';
}

/** The id of the invocation or error. */
export function idOf(event: AttemptEvent): string {
  return event.kind === 'tool' ? event.tool.id : event.error.id;
}
