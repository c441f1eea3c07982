import { quotedBlock } from '../../present/index.js';
import type { Diagram } from './diagram.js';
import { dotText } from './dot.js';
import { graphmlText } from './graphml.js';
import { mermaidText } from './mermaid.js';

export type { Diagram, DiagramNode } from './diagram.js';

/** The languages that a part of the graph can be drawn in. */
export const DIAGRAM_FORMATS = ['mermaid', 'dot', 'graphml'] as const;
/** One of {@link DIAGRAM_FORMATS}. */
export type DiagramFormat = (typeof DIAGRAM_FORMATS)[number];

const WRITERS: Readonly<Record<DiagramFormat, (diagram: Diagram) => string>> = {
  mermaid: mermaidText,
  dot: dotText,
  graphml: graphmlText,
};

/** A diagram as text, ending in a newline: pure, the same text for the same parts in the same order. */
export function diagramText(diagram: Diagram, format: DiagramFormat): string {
  return WRITERS[format](diagram);
}

/** A diagram as a block of Markdown, which names its language: code hosts draw Mermaid's. */
export function diagramBlock(diagram: string): string {
  const language = diagram.startsWith('flowchart')
    ? 'mermaid'
    : diagram.startsWith('digraph')
      ? 'dot'
      : 'xml';
  return quotedBlock(diagram, language);
}
