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
import { type ToolUse, toolUse } from './tool-use.js';

/** One thing that happened in an attempt, in the order of time. */
export type AttemptEvent =
  | {
      readonly kind: 'tool';
      readonly step: string;
      readonly tool: NodeRef<typeof ToolInvocation>;
      readonly use: ToolUse;
      /** Ids of the files and symbols that it touched. */
      readonly touched: readonly string[];
      /** Whether it succeeded; null: unknown. One that an error names did not, whatever it ended with. */
      readonly ok: boolean | null;
    }
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

/** The invocation or error. */
export function nodeOf(event: AttemptEvent): NodeRef<typeof ToolInvocation> | NodeRef<typeof TraceError> {
  return event.kind === 'tool' ? event.tool : event.error;
}

/** The id of the invocation or error. */
export function idOf(event: AttemptEvent): string {
  return nodeOf(event).id;
}

function timeOf(event: AttemptEvent): string {
  return (event.kind === 'tool' ? event.tool.started_at : event.error.created_at) ?? '';
}

/** Tasks that are read at once: few round trips, and not all texts of a history in memory. */
const AT_ONCE = 100;

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
    for (const type of [ToolTouchesFile, ToolTouchesSymbol])
      for (const { from, to } of await q([...tools.values()].flat())
        .out(type)
        .edges())
        append(touched, from, to);
    for (const task of found) {
      // By their order, and by time; what has no time, and ties, by id.
      const own = [...(steps.get(task.id) ?? [])];
      own.sort((a, b) => a.order - b.order || compareText(a.id, b.id));
      const met = own.flatMap(({ id }) => errors.get(id) ?? []);
      const denied = new Set(met.map(({ tool_id }) => tool_id));
      const events = own.flatMap(({ id: step }): AttemptEvent[] => [
        ...(tools.get(step) ?? []).map((tool) => {
          const ok = denied.has(tool.id) ? false : tool.success;
          const use = toolUse(tool.params_json);
          return { kind: 'tool' as const, step, tool, use, touched: touched.get(tool.id) ?? [], ok };
        }),
        ...(errors.get(step) ?? []).map((error) => ({ kind: 'error' as const, step, error })),
      ]);
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
