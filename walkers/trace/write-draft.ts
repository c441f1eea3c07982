import type { NodeRef } from '../../runtime/index.js';
import {
  CodeSymbol,
  File,
  fileId,
  Step,
  Task,
  ToolInvocation,
  ToolTouchesSymbol,
  TraceError,
} from '../../schema/index.js';
import type { RecordContext } from './record-context.js';
import type { TaskDraft } from './task-draft.js';

const FILE = fileId('');
const ERROR = 'error:';

/** Writes the nodes and edges of a draft. What is equal already is not written. */
export async function writeDraft(
  draft: TaskDraft,
  { createAll, connectAll, nodesOf }: Pick<RecordContext, 'createAll' | 'connectAll' | 'nodesOf'>,
): Promise<void> {
  const nodes: readonly NodeRef[] = [
    ...(await createAll([...draft.tasks].map(([id, props]) => Task(props, { id })))),
    ...(await createAll([...draft.steps].map(([id, props]) => Step(props, { id })))),
    ...(await createAll([...draft.tools].map(([id, props]) => ToolInvocation(props, { id })))),
    ...(await createAll([...draft.checkpoints.values()])),
    ...(await createAll([...draft.errors.values()])),
  ];
  const byId = new Map<string, NodeRef>(nodes.map((node) => [node.id, node]));
  const files = draft.links.map(({ to }) => to).filter((id) => id.startsWith(FILE));
  for (const file of await nodesOf(File, [...new Set(files)])) byId.set(file.id, file);
  const symbols = draft.links.filter(({ edge }) => edge.archetype.name === ToolTouchesSymbol.name);
  for (const symbol of await nodesOf(CodeSymbol, [...new Set(symbols.map(({ to }) => to))]))
    byId.set(symbol.id, symbol);
  const others = [...new Set(draft.links.flatMap(({ from, to }) => [from, to]))].filter(
    (id) => !byId.has(id),
  );
  const errors = others.filter((id) => id.startsWith(ERROR));
  for (const error of await nodesOf(TraceError, errors)) if (!error.gone) byId.set(error.id, error);
  const steps = others.filter((id) => !id.startsWith(ERROR));
  for (const step of await nodesOf(Step, steps)) byId.set(step.id, step);
  connectAll(
    draft.links.flatMap(({ from, to, edge }) => {
      const [a, b] = [byId.get(from), byId.get(to)];
      return a && b ? [{ from: a, to: b, edge }] : [];
    }),
  );
}
