import { isA, type NodeRef, type ReadContext } from '../../../runtime/index.js';
import { CodeSymbol, File } from '../../../schema/index.js';

/** A file or a symbol. */
export type CodeNode = NodeRef<typeof CodeSymbol | typeof File>;

/** The files and symbols with these ids, by id; what is no longer there is left out. */
export async function codeNodes(
  { nodes }: Pick<ReadContext, 'nodes'>,
  ids: readonly string[],
): Promise<Map<string, CodeNode>> {
  const found = new Map<string, CodeNode>();
  for (const node of await nodes(ids)) if (node && !node.gone && isCode(node)) found.set(node.id, node);
  return found;
}

function isCode(node: NodeRef): node is CodeNode {
  return isA(node.archetype, CodeSymbol) || isA(node.archetype, File);
}
