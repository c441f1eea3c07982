import { compareText, type NodeRef, type NodeType, type WriteContext } from '../../runtime/index.js';
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
 * Joins tasks to the concepts that their prompts name: those that are there when a prompt comes. A concept that
 * is added later is joined when it is added; what indexing finds later is not.
 */
export async function relateConcepts(
  tasks: readonly NodeRef<typeof Task>[],
  context: Relating,
): Promise<void> {
  const all: { readonly type: typeof Concept | typeof AddedConcept; readonly id: string }[] = [];
  for (const type of [Concept, AddedConcept])
    for (const id of await context.findIds(type)) all.push({ type, id });
  for (const task of tasks) {
    const prompt = new NamedConcepts(task.user_prompt);
    const named = all.filter(({ id }) => prompt.names(parseId(id)?.name ?? ''));
    const wanted = [...new Map(named.map((concept) => [concept.id, concept])).values()]
      .sort((a, b) => compareText(a.id, b.id))
      .slice(0, LIMITS.taskConcepts.max);
    const ids = new Set(wanted.map(({ id }) => id));
    const edges = await context.q(task).out(TaskRelatedToConcept).edges();
    await context.del(edges.filter(({ to, derived }) => derived && !ids.has(to)));
    const concepts = await Promise.all(wanted.map(({ type, id }) => context.nodesOf<NodeType>(type, [id])));
    context.connectAll(concepts.flat().map((to) => ({ from: task, to, edge: TaskRelatedToConcept() })));
  }
}
