import { z } from 'zod';
import {
  CodeEdge,
  CodeNode,
  Counter,
  codeEdge,
  codeNode,
  edgesAmong,
  expand,
  NodeKind,
  PACK_RELATIONS,
  relationOf,
  sortedEdges,
} from '../../graphs/code/index.js';
import { compareText, defineWalker, propsOf } from '../../runtime/index.js';
import { canonicalId, fileId, LIMITS, parseId, projectNotIndexed } from '../../schema/index.js';
import { vectorFigures } from '../../search/index.js';

const { codebaseHops, runVisits } = LIMITS;
const count = z.number().int();
const counts = z.record(z.string(), count);
const relations = z.array(z.enum(PACK_RELATIONS)).default([...PACK_RELATIONS]);

/** The code graph, or a part of it, as the library spells it: nodes by id, then the edges with both ends among them. */
export const LibraryGraph = defineWalker('library_graph', {
  description: 'The nodes and edges of the code graph, or of some ids, kinds or one module: for the library.',
  input: {
    ids: z.array(z.string()).nullable().default(null),
    kinds: z.array(NodeKind).nullable().default(null),
    module: z.string().nullable().default(null),
    edges: z.boolean().default(true),
    rels: relations,
  },
  output: z.object({ nodes: z.array(CodeNode), edges: z.array(CodeEdge) }),
  run: async (_here, context) => {
    const { ids, kinds, module, rels } = context.state;
    const nodes = new Map<string, CodeNode>();
    const edges: CodeEdge[] = [];
    const note = (record: Parameters<typeof codeNode>[0]) => {
      const node = codeNode(record);
      if (!node || (kinds && !kinds.includes(node.kind))) return;
      if (module === null || node.module_path === pathOf(module)) nodes.set(node.id, node);
    };
    if (ids === null) for await (const page of context.storedNodes('derived')) page.forEach(note);
    else
      for (const node of await context.nodes(ids.map(canonicalId)))
        if (node && !node.gone) note({ id: node.id, type: node.archetype.name, props: propsOf(node) });
    if (context.state.edges && ids !== null)
      edges.push(...(await edgesAmong(context, [...nodes.keys()], rels)));
    else if (context.state.edges)
      for await (const page of context.storedEdges('derived'))
        for (const { type, from, to, props } of page) {
          const rel = nodes.has(from) && nodes.has(to) ? relationOf(type, props) : null;
          if (rel !== null && rels.includes(rel)) edges.push(codeEdge(rel, from, to, props));
        }
    return {
      nodes: [...nodes.values()].sort((a, b) => compareText(a.id, b.id)),
      edges: sortedEdges(edges),
    };
  },
});

function pathOf(module: string): string {
  const parsed = parseId(module);
  return parsed && fileId(parsed.path ?? '') === canonicalId(module) ? (parsed.path ?? '') : module;
}

/** Breadth first from seeds over relations, both ways. */
export const LibraryExpand = defineWalker('library_expand', {
  description:
    'What is around some nodes, breadth first, with the hops and the seed of each: for the library.',
  input: {
    seeds: z.array(z.string()),
    hop: z.number().int().min(codebaseHops.min).max(codebaseHops.max).default(1),
    rels: relations,
  },
  output: z.object({
    reached: z.array(z.object({ id: z.string(), best_hop: z.number().int(), via_seed: z.string() })),
  }),
  run: async (_here, context) => {
    const { seeds, hop, rels } = context.state;
    const ids = [...new Set(seeds.map(canonicalId))];
    const there = (await context.nodes(ids)).flatMap((node) => (node && !node.gone ? [node.id] : []));
    const { reached } = await expand(context, there, { hop, rels, most: runVisits.default });
    return { reached: [...reached].map(([id, way]) => ({ id, ...way })) };
  },
});

/** Counts nodes by kind, edges by relation, and vectors. */
export const LibraryStats = defineWalker('library_stats', {
  description: 'Count nodes by kind, edges by relation and embeddings: for the library.',
  input: {
    /** Refuse a graph that has no code at all. */
    needed: z.boolean().default(false),
  },
  output: z.object({
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
  }),
  run: async (_here, context) => {
    const [nodes, edges, ids] = [new Counter(), new Counter(), new Set<string>()];
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
    if (context.state.needed && nodes.total === 0) throw projectNotIndexed(context.projectRoot);
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
