import type { Diagram } from '../../diagram/index.js';
import type { ExportLine } from '../graph-export.js';

/** An export as a diagram: all of its nodes and edges, in its order. */
export function exportDiagram(nodes: readonly ExportLine[], edges: readonly ExportLine[]): Diagram {
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
