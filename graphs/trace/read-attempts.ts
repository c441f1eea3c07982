import type { NodeRef, ReadContext } from '../../runtime/index.js';
import {
  append,
  type EdgeType,
  type NodeType,
  Step,
  StepHasError,
  StepInvokesTool,
  Task,
  TaskHasStep,
  ToolInvocation,
  TraceError,
} from '../../schema/index.js';
import { type Attempt, attemptOf } from './attempt.js';

/** Tasks that are read at once: few round trips, and not all texts of a history in memory. */
const AT_ONCE = 100;

/** Reads attempts with all their parts, task by task in the order given: a few round trips per hundred. */
export async function* readAttempts(
  { q, nodesOf }: Pick<ReadContext, 'q' | 'nodesOf'>,
  tasks: readonly string[],
): AsyncIterable<Attempt> {
  for (let i = 0; i < tasks.length; i += AT_ONCE) {
    const asked = await nodesOf(Task, tasks.slice(i, i + AT_ONCE));
    const found = asked.filter(({ gone }) => !gone);
    const steps = await childrenOf({ q }, found, TaskHasStep, Step);
    const all = [...steps.values()].flat();
    const tools = await childrenOf({ q }, all, StepInvokesTool, ToolInvocation);
    const errors = await childrenOf({ q }, all, StepHasError, TraceError);
    for (const task of found)
      yield attemptOf(
        task,
        (steps.get(task.id) ?? []).map((step) => ({
          step,
          tools: tools.get(step.id) ?? [],
          errors: errors.get(step.id) ?? [],
        })),
      );
  }
}

/** The far nodes of edges, by the node that they leave. */
async function childrenOf<N extends NodeType>(
  { q }: Pick<ReadContext, 'q'>,
  from: readonly NodeRef[],
  edge: EdgeType,
  type: N,
): Promise<Map<string, NodeRef<N>[]>> {
  const far = new Map((await q(from).out(edge).of(type)).map((node) => [node.id, node]));
  const children = new Map<string, NodeRef<N>[]>();
  for (const link of await q(from).out(edge).edges()) {
    const node = far.get(link.to);
    if (!node) continue;
    append(children, link.from, node);
  }
  return children;
}
