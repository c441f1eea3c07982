import { stripHidden } from '../../present/index.js';
import { type Diagram, namedParts } from './diagram.js';

/**
 * A diagram in Graphviz' language: a directed graph, left to right, whose nodes carry their `label`, and as attributes
 * that Graphviz passes over their id (`tooltip`, too), `kind`, `path` and `line`.
 *
 * Source: graphviz.org, The DOT Language; escString for what labels take for their own.
 */
export function dotText(diagram: Diagram): string {
  const { nodes, edges } = namedParts(diagram);
  return [
    `digraph ${quoted(diagram.title)} {`,
    '  rankdir=LR;',
    '  node [shape=box];',
    ...nodes.map(({ name, node: { id, label, kind, path, line } }) => {
      const place = path ? [['path', path] as const] : [];
      const at = path && line ? [['line', String(line)] as const] : [];
      return `  ${name} ${attributes([['label', label], ['tooltip', id], ['kind', kind], ...place, ...at])};`;
    }),
    ...edges.map(({ from, to, edge: { kind } }) => `  ${from} -> ${to} ${attributes([['label', kind]])};`),
    '}',
    '',
  ].join('\n');
}

function attributes(pairs: readonly (readonly [string, string])[]): string {
  const written = pairs
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${quoted(value)}`);
  return `[${written.join(', ')}]`;
}

function quoted(text: string): string {
  const escaped = stripHidden(text).replace(/[\\"]/gu, '\\$&').replaceAll('\n', '\\n');
  return `"${escaped}"`;
}
