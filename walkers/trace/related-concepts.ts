import { compareText, type NodeRef, type WriteContext } from '../../runtime/index.js';
import {
  AddedConcept,
  Concept,
  LIMITS,
  parseId,
  type Task,
  TaskRelatedToConcept,
} from '../../schema/index.js';
import { NamedConcepts } from '../concept-words.js';

type Relating = Pick<WriteContext, 'findIds' | 'nodesOf' | 'q' | 'connectAll' | 'del'>;

/**
 * Joins a task to the concepts that its prompt names: those that are there when its prompt comes. A concept
 * that is added later is joined when it is added; what indexing finds later is not.
 */
export async function relateConcepts(task: NodeRef<typeof Task>, context: Relating): Promise<void> {
  const prompt = new NamedConcepts(task.user_prompt);
  const named: NodeRef<typeof Concept>[] = [];
  for (const type of [Concept, AddedConcept]) {
    const ids = (await context.findIds(type)).filter((id) => prompt.names(parseId(id)?.name ?? ''));
    named.push(...(await context.nodesOf(type, ids)));
  }
  const wanted = [...new Map(named.map((concept) => [concept.id, concept])).values()]
    .sort((a, b) => compareText(a.id, b.id))
    .slice(0, LIMITS.taskConcepts.max);
  const ids = new Set(wanted.map(({ id }) => id));
  const edges = await context.q(task).out(TaskRelatedToConcept).edges();
  await context.del(edges.filter(({ to, derived }) => derived && !ids.has(to)));
  context.connectAll(wanted.map((to) => ({ from: task, to, edge: TaskRelatedToConcept() })));
}
