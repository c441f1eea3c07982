import { z } from 'zod';
import { indexProgress, NOTHING_MISSING, scipIndex, unfinishedState } from '../../graphs/code/index.js';
import { similarSteps } from '../../graphs/trace/index.js';
import { DIAGRAM_FORMATS, type Diagram, diagramText } from '../../present/index.js';
import { compareText, defineWalker, type Layer } from '../../runtime/index.js';
import {
  CodewalkError,
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

type Kinded<T> = T & { readonly kind: string };

/**
 * Exports the graph, one report a line: nodes by id, then edges by kind and ends. The derived layer's lines depend on
 * nothing but the files' content: what is volatile is left out, and what only commits say (section E). A SCIP index comes in
 * parts, each in base64: their bytes follow one another.
 */
export const GraphExport = defineWalker('graph_export', {
  description:
    'Export the graph as JSON lines: every node, then every edge but those that follow from others, sorted. Byte-identical for identical content.',
  input: {
    format: z
      .enum(['jsonl', 'scip', ...DIAGRAM_FORMATS])
      .default('jsonl')
      .describe('jsonl: one JSON object a line; scip: an index for code navigation; others: a diagram'),
    layer: z
      .enum(['derived', 'durable', 'all'])
      .default('derived')
      .describe('derived: the code graph; durable: traces and memories'),
  },
  report: z.custom<ExportLine | string>(
    (value) => typeof value === 'string' || (typeof value === 'object' && value !== null),
  ),
  output: z.object({ nodes: z.number().int(), edges: z.number().int() }),
  examples: [
    { title: 'The code graph', input: {} },
    { title: 'For Gephi, yEd or networkx', input: { format: 'graphml' } },
  ],
  run: async (_here, context) => {
    const { format, layer } = context.state;
    const layers: readonly Layer[] = LAYERS_OF[layer];
    const isDerived = layers.includes('derived');
    const unfinished = isDerived ? unfinishedState(await indexProgress(context)) : NOTHING_MISSING;
    const nodes: Kinded<StoredNode>[] = [];
    const edges: Kinded<StoredEdge>[] = [];
    for (const layer of layers) {
      for await (const page of context.storedNodes(layer))
        for (const node of page) {
          const kind = exportNodeKind(node);
          if (kind !== null && !isCommitConcept(node.id)) nodes.push({ ...node, kind });
        }
      for await (const page of context.storedEdges(layer))
        for (const edge of page) {
          const kind = exportEdgeKind(edge.type);
          // What was recorded about a commit's Concept is durable, and stays.
          const isOfCommit = layer === 'derived' && isCommitConcept(edge.to);
          if (kind !== null && !isOfCommit) edges.push({ ...edge, kind });
        }
    }
    // Similar steps are computed when somebody asks.
    if (layers.includes('durable'))
      for (const { from, to, score } of await similarSteps(context)) {
        const type = SimilarStep.name;
        const props = { score, derived: true };
        edges.push({ type, kind: exportEdgeKind(type) ?? type, from, to, seq: 0, undirected: true, props });
      }
    if (format === 'scip') {
      if (layer !== 'derived')
        throw new CodewalkError('INVALID_INPUT', `layer: a SCIP index has no ${layer} layer`, {
          input: layer,
          suggestion: 'It is of the code graph: leave the layer out.',
        });
      for await (const part of scipIndex(context, { nodes, edges }))
        context.report(Buffer.from(part).toString('base64'));
      return { nodes: nodes.length, edges: edges.length, state: unfinished };
    }
    nodes.sort((a, b) => compareText(a.id, b.id));
    edges.sort(byKindAndEnds);
    const lines: { node: ExportLine[]; edge: ExportLine[] } = {
      node: nodes.map(nodeLine),
      edge: edges.map(({ kind, from, to, props }) => ({ type: 'edge', kind, from, to, ...props })),
    };
    const reports =
      format === 'jsonl'
        ? [...lines.node, ...lines.edge]
        : diagramText(diagramOf(lines.node, lines.edge), format).trimEnd().split('\n');
    for (const report of reports) context.report(report);
    return { nodes: nodes.length, edges: edges.length, state: unfinished };
  },
  markdown: ({ nodes, edges }) => `Exported ${nodes} nodes and ${edges} edges.\n`,
});

function nodeLine({ id, kind, type, props }: Kinded<StoredNode>): ExportLine {
  const volatile = nodeArchetype(type)?.volatile ?? [];
  const shown = Object.fromEntries(Object.entries(props).filter(([field]) => !volatile.includes(field)));
  // A line's own `type` and `kind` come first: a memory's type is its `memory_type`.
  const { kind: used_as, type: memory_type, ...rest } = shown;
  return {
    type: 'node',
    id,
    kind,
    ...(used_as === undefined || used_as === kind ? {} : { symbol_kind: used_as }),
    ...(memory_type === undefined ? {} : { memory_type }),
    ...rest,
  };
}

function byKindAndEnds(a: Kinded<StoredEdge>, b: Kinded<StoredEdge>): number {
  return (
    compareText(a.kind, b.kind) ||
    compareText(a.from, b.from) ||
    compareText(a.to, b.to) ||
    compareText(a.type, b.type) ||
    a.seq - b.seq
  );
}

function diagramOf(nodes: readonly ExportLine[], edges: readonly ExportLine[]): Diagram {
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    title: 'codewalk',
    nodes: nodes.map(({ kind, ...node }) => {
      const id = textOf(node.id);
      const label = textOf(node.qualified_name) || textOf(node.name) || textOf(node.label) || id;
      const line = typeof node.start_line === 'number' ? node.start_line : null;
      return { id, label, kind, path: textOf(node.path), line };
    }),
    edges: edges.map(({ kind, from, to }) => ({ kind, from: textOf(from), to: textOf(to) })),
  };
}
