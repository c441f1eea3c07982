import { z } from 'zod';
import { Counter, codeNode, relationOf } from '../../graphs/code/index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { projectNotIndexed } from '../../schema/index.js';
import { vectorFigures } from '../../search/index.js';

const count = z.number().int();
const counts = z.record(z.string(), count);

/** What the library counts of a graph (S2-14, S2-37). */
export const LibraryFigures = z.object({
  total_nodes: count,
  total_edges: count,
  /** By kind. */
  node_counts: counts,
  /** By relation. */
  edge_counts: counts,
  /** Vectors of code; null where there are none. */
  indexed_rows: count.nullable(),
  /** Numbers in each; null where there are none. */
  index_dim: count.nullable(),
});

/** Counts nodes by kind, edges by relation, and vectors. */
export const LibraryStats = defineWalker('library_stats', {
  description: 'Count nodes by kind, edges by relation and embeddings: for the library.',
  input: {
    /** Refuse a graph that has no code at all. */
    needed: z.boolean().default(false),
  },
  output: LibraryFigures,
  state: () => ({ nodes: new Counter(), edges: new Counter() }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { nodes, edges } = context.state;
      const ids = new Set<string>();
      for await (const page of context.storedNodes('derived'))
        for (const stored of page) {
          const node = codeNode(stored);
          if (!node) continue;
          nodes.add(node.kind);
          ids.add(node.id);
        }
      for await (const page of context.storedEdges('derived'))
        for (const { type, from, to, props } of page) {
          const rel = ids.has(from) && ids.has(to) ? relationOf(type, props) : null;
          if (rel !== null) edges.add(rel);
        }
    }),
  ],
  finish: async ({ state: { nodes, edges, needed }, context }) => {
    if (needed && nodes.total === 0) throw projectNotIndexed(context.projectRoot);
    const vectors = await vectorFigures(context, 'derived');
    return {
      total_nodes: nodes.total,
      total_edges: edges.total,
      node_counts: nodes.sorted(),
      edge_counts: edges.sorted(),
      indexed_rows: vectors?.vectors ?? null,
      index_dim: vectors?.dimension ?? null,
    };
  },
});
