import { z } from 'zod';
import {
  CodeEdge,
  CodeNode,
  codeEdge,
  codeNode,
  edgesWithin,
  NodeKind,
  PACK_RELATIONS,
  relationOf,
} from '../../graphs/code/index.js';
import { compareText, defineWalker, propsOf, Root } from '../../runtime/index.js';
import { canonicalId, fileId, parseId } from '../../schema/index.js';

/**
 * The code graph, or a part of it, as the library spells it (S2-16, S2-17): nodes by id, then the edges with both ends among
 * them, by their ends.
 */
export const LibraryGraph = defineWalker('library_graph', {
  description: 'The nodes and edges of the code graph, or of some ids, kinds or one module: for the library.',
  input: {
    ids: z.array(z.string()).nullable().default(null),
    kinds: z.array(NodeKind).nullable().default(null),
    module: z.string().nullable().default(null),
    edges: z.boolean().default(true),
    rels: z.array(z.enum(PACK_RELATIONS)).default([...PACK_RELATIONS]),
  },
  output: z.object({ nodes: z.array(CodeNode), edges: z.array(CodeEdge) }),
  state: () => ({ nodes: new Map<string, CodeNode>(), edgeList: [] as CodeEdge[] }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { ids, kinds, module, edges, rels, nodes, edgeList } = context.state;
      const isWanted = (node: CodeNode) =>
        (kinds === null || kinds.includes(node.kind)) &&
        (module === null || node.module_path === pathOf(module));
      const note = (record: Parameters<typeof codeNode>[0]) => {
        const node = codeNode(record);
        if (node && isWanted(node)) nodes.set(node.id, node);
      };
      if (ids === null) for await (const page of context.storedNodes('derived')) page.forEach(note);
      else
        for (const node of await context.nodes(ids.map(canonicalId)))
          if (node && !node.gone) note({ id: node.id, type: node.archetype.name, props: propsOf(node) });
      if (!edges) return;
      if (ids !== null) {
        for (const { rel, edge } of await edgesWithin(context, [...nodes.keys()], rels))
          edgeList.push(codeEdge(rel, edge.from, edge.to, edge));
        return;
      }
      for await (const page of context.storedEdges('derived'))
        for (const { type, from, to, props } of page) {
          const rel = nodes.has(from) && nodes.has(to) ? relationOf(type, props) : null;
          if (rel !== null && rels.includes(rel)) edgeList.push(codeEdge(rel, from, to, props));
        }
    }),
  ],
  finish: ({ state: { nodes, edgeList } }) => ({
    nodes: [...nodes.values()].sort((a, b) => compareText(a.id, b.id)),
    edges: edgeList.sort(
      (a, b) => compareText(a.src, b.src) || compareText(a.rel, b.rel) || compareText(a.dst, b.dst),
    ),
  }),
});

function pathOf(module: string): string {
  const parsed = parseId(module);
  return parsed && fileId(parsed.path ?? '') === canonicalId(module) ? (parsed.path ?? '') : module;
}
