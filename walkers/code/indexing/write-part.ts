import { isDeepStrictEqual } from 'node:util';
import { type EdgeRef, type NodeDraft, propsOf, type StepsContext } from '../../../runtime/index.js';
import { CodeSymbol, fileId, Import, isCommitConcept } from '../../../schema/index.js';
import type { GraphPart, Link } from './code-graph.js';

/** Nodes whose links are compared before others have their turn. */
const NODES_AT_ONCE = 32;

/**
 * The ids of the nodes that a file has in the graph: itself, its symbols and imports. By their paths, not by
 * containment: a run that was killed between nodes and edges left nodes that nothing contains.
 */
export async function storedNodesOf(context: StepsContext, path: string): Promise<string[]> {
  const symbols = await context.find(CodeSymbol, { path });
  const imports = await context.find(Import, { path });
  return [fileId(path), ...[...symbols, ...imports].map(({ id }) => id)];
}

/** The links of a part that the graph has not, or has otherwise; what it has and should not is removed. */
export async function differingLinks(context: StepsContext, part: GraphPart): Promise<Link[]> {
  const wanted = new Map(
    part.links.map((link) => [linkKey(link.edge.archetype.name, link.from, link.to), link]),
  );
  for (let from = 0; from < part.nodes.length; from += NODES_AT_ONCE) {
    await context.pause();
    for (const edge of await storedLinks(context, part.nodes.slice(from, from + NODES_AT_ONCE))) {
      const key = linkKey(edge.archetype.name, edge.from, edge.to);
      const same = wanted.get(key);
      if (!same) await context.del(edge);
      else if (isDeepStrictEqual(propsOf(edge), same.edge.props)) wanted.delete(key);
    }
  }
  return [...wanted.values()];
}

async function storedLinks(context: StepsContext, nodes: readonly NodeDraft[]): Promise<EdgeRef[]> {
  const edges = await context
    .q(nodes.map(({ id }) => id ?? ''))
    .out()
    .edges();
  return edges.filter(({ archetype, to }) => archetype.layer === 'derived' && !isCommitConcept(to));
}

function linkKey(type: string, from: string, to: string): string {
  return `${type}\0${from}\0${to}`;
}
