import { stripHidden } from '../../present/index.js';
import { type Diagram, namedParts } from './diagram.js';

/**
 * A diagram as a flowchart of Mermaid, left to right: what agents and code hosts show as a picture. Whatever in a label
 * could be taken for Mermaid's, Markdown's or HTML's is written as an entity.
 *
 * Source: mermaid.js.org, Flowcharts: special characters that break syntax, entity codes.
 */
export function mermaidText(diagram: Diagram): string {
  const { nodes, edges } = namedParts(diagram);
  return [
    'flowchart LR',
    ...nodes.map(({ name, node: { label } }) => `  ${name}[${quoted(label)}]`),
    ...edges.map(({ from, to, edge: { kind } }) =>
      kind === '' ? `  ${from} --> ${to}` : `  ${from} -->|${quoted(kind)}| ${to}`,
    ),
    '',
  ].join('\n');
}

/** A label without anything on it is none: a blank takes its place. */
function quoted(text: string): string {
  const escaped = stripHidden(text).replace(
    /[^\p{L}\p{N} ._/:,()$@+=?!'-]/gu,
    (character) => `#${character.codePointAt(0)};`,
  );
  return `"${escaped === '' ? ' ' : escaped}"`;
}
