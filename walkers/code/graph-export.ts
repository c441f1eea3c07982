import { z } from 'zod';
import { indexProgress, NOTHING_MISSING, unfinishedState } from '../../graphs/code/index.js';
import { similarSteps } from '../../graphs/trace/index.js';
import { DIAGRAM_FORMATS, type Diagram, diagramText } from '../../present/index.js';
import { compareText, defineWalker, type Layer, Root } from '../../runtime/index.js';
import {
  exportEdgeKind,
  exportNodeKind,
  isCommitConcept,
  nodeArchetype,
  SimilarStep,
} from '../../schema/index.js';
import type { StoredEdge, StoredNode } from '../../storage/index.js';

/** One line of an export (section E of the specification). */
export type ExportLine = { readonly type: 'node' | 'edge'; readonly kind: string } & Readonly<
  Record<string, unknown>
>;

const LAYERS_OF = { derived: ['derived'], durable: ['durable'], all: ['derived', 'durable'] } as const;

/**
 * Exports the graph, one report a line (as a diagram each a text): nodes by id, then edges by kind and ends. The derived layer's lines
 * depend on nothing but the files' content: what is volatile is left out, and what only commits say (section E).
 */
export const GraphExport = defineWalker('graph_export', {
  description:
    'Export the graph as JSON lines: every node, then every edge but those that follow from others, sorted. Byte-identical for identical content.',
  input: {
    format: z
      .enum(['jsonl', ...DIAGRAM_FORMATS])
      .default('jsonl')
      .describe('jsonl: one JSON object a line; others: a diagram'),
    layer: z
      .enum(['derived', 'durable', 'all'])
      .default('derived')
      .describe('derived: the code graph; durable: traces and memories'),
  },
  report: z.custom<ExportLine | string>(
    (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  ),
  output: z.object({ nodes: z.number().int(), edges: z.number().int() }),
  state: () => ({ nodes: 0, edges: 0, unfinished: NOTHING_MISSING }),
  examples: [
    { title: 'The code graph', input: {} },
    { title: 'For Gephi, yEd or networkx', input: { format: 'graphml' } },
  ],
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const layers: readonly Layer[] = LAYERS_OF[context.state.layer];
      if (layers.includes('derived'))
        context.state.unfinished = unfinishedState(await indexProgress(context));
      const nodes: (StoredNode & { kind: string })[] = [];
      for (const layer of layers) {
        for await (const page of context.storedNodes(layer)) {
          for (const node of page) {
            const kind = exportNodeKind(node);
            if (kind !== null && !isCommitConcept(node.id)) nodes.push({ ...node, kind });
          }
        }
      }
      nodes.sort((a, b) => compareText(a.id, b.id));
      context.state.nodes = nodes.length;
      const edges: (StoredEdge & { kind: string })[] = [];
      for (const layer of layers) {
        for await (const page of context.storedEdges(layer)) {
          for (const edge of page) {
            const kind = exportEdgeKind(edge.type);
            // What was recorded about a commit's Concept is durable, and stays.
            const isHistory = layer === 'derived' && isCommitConcept(edge.to);
            if (kind !== null && !isHistory) edges.push({ ...edge, kind });
          }
        }
      }
      // Similar steps are computed when somebody asks.
      if (layers.includes('durable'))
        for (const { from, to, score } of await similarSteps(context))
          edges.push(similarStepEdge(from, to, score));
      edges.sort(byKindAndEnds);
      context.state.edges = edges.length;
      const { format } = context.state;
      if (format === 'jsonl') {
        for (const node of nodes) context.report(nodeLine(node));
        for (const edge of edges) context.report(edgeLine(edge));
        return;
      }
      const diagram = exportDiagram(nodes.map(nodeLine), edges.map(edgeLine));
      for (const line of diagramText(diagram, format).trimEnd().split('\n')) context.report(line);
    }),
  ],
  finish: ({ state: { nodes, edges, unfinished } }) => ({
    nodes,
    edges,
    state: unfinished,
  }),
  markdown: ({ nodes, edges }) => `Exported ${nodes} nodes and ${edges} edges.\n`,
});

/** A stored node as its line. */
export function nodeLine(node: StoredNode & { kind: string }): ExportLine {
  const volatile = nodeArchetype(node.type)?.volatile ?? [];
  const props = Object.fromEntries(Object.entries(node.props).filter(([field]) => !volatile.includes(field)));
  // A line's own `type` and `kind` come first: a memory's type is its `memory_type`.
  const { kind: used_as, type: memory_type, ...rest } = props;
  const { kind } = node;
  return {
    type: 'node',
    id: node.id,
    kind,
    ...(used_as === undefined || used_as === kind ? {} : { symbol_kind: used_as }),
    ...(memory_type === undefined ? {} : { memory_type }),
    ...rest,
  };
}

/** A stored edge as its line. */
export function edgeLine({
  kind,
  from,
  to,
  props,
}: Pick<StoredEdge, 'from' | 'to' | 'props'> & { kind: string }): ExportLine {
  return { type: 'edge', kind, from, to, ...props };
}

function similarStepEdge(from: string, to: string, score: number): StoredEdge & { kind: string } {
  const type = SimilarStep.name;
  const kind = exportEdgeKind(type) ?? type;
  return { type, kind, from, to, seq: 0, undirected: true, props: { score, derived: true } };
}

function byKindAndEnds(a: StoredEdge & { kind: string }, b: StoredEdge & { kind: string }): number {
  return (
    compareText(a.kind, b.kind) ||
    compareText(a.from, b.from) ||
    compareText(a.to, b.to) ||
    compareText(a.type, b.type) ||
    a.seq - b.seq
  );
}

/** An export as a diagram: all of its nodes and edges, in its order. */
function exportDiagram(nodes: readonly ExportLine[], edges: readonly ExportLine[]): Diagram {
  return {
    title: 'codewalk',
    nodes: nodes.map((node) => {
      const { kind } = node;
      const [id, path] = [textOf(node.id), textOf(node.path)];
      const line = typeof node.start_line === 'number' ? node.start_line : null;
      const label = textOf(node.qualified_name) || textOf(node.name) || textOf(node.label) || id;
      return { id, label, kind, path, line };
    }),
    edges: edges.map(({ kind, from, to }) => ({ kind, from: textOf(from), to: textOf(to) })),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
