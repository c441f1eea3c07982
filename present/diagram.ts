import { stripHidden } from './harmless.js';
import { quotedBlock } from './text.js';

/** The languages that a part of the graph can be drawn in. */
export const DIAGRAM_FORMATS = ['mermaid', 'dot', 'graphml'] as const;
type DiagramFormat = (typeof DIAGRAM_FORMATS)[number];

/** A picture of a part of a graph. Nodes and edges are drawn in this order. */
export interface Diagram {
  readonly title: string;
  /** An id that occurs twice is one node. */
  readonly nodes: readonly DiagramNode[];
  /** An edge to a node that is not there is left out. */
  readonly edges: readonly { readonly from: string; readonly to: string; readonly kind: string }[];
}

/** One box. */
export interface DiagramNode {
  readonly id: string;
  readonly label: string;
  /** Empty where there is none. */
  readonly kind: string;
  /** Root-relative; null: none, or not to be shown. */
  readonly path?: string | null;
  readonly line?: number | null;
}

/** The parts of a diagram with names that need no quoting in any language: `n0`, `n1`… */
interface NamedParts extends Pick<Diagram, 'title' | 'edges'> {
  readonly nodes: readonly (readonly [name: string, node: DiagramNode])[];
}

const WRITERS: Readonly<Record<DiagramFormat, (parts: NamedParts) => readonly string[]>> = {
  mermaid: mermaidLines,
  dot: dotLines,
  graphml: graphmlLines,
};

/** A diagram as text, ending in a newline: the same text for the same parts in the same order. */
export function diagramText({ title, nodes, edges }: Diagram, format: DiagramFormat): string {
  const byId = new Map<string, DiagramNode>();
  for (const node of nodes) if (!byId.has(node.id)) byId.set(node.id, node);
  const names = new Map([...byId.keys()].map((id, at) => [id, `n${at}`]));
  const parts = {
    title,
    nodes: [...byId.values()].map((node, at) => [`n${at}`, node] as const),
    edges: edges.flatMap(({ kind, ...ends }) => {
      const [from, to] = [names.get(ends.from), names.get(ends.to)];
      return from === undefined || to === undefined ? [] : [{ from, to, kind }];
    }),
  };
  return `${WRITERS[format](parts).join('\n')}\n`;
}

/** A diagram as a block of Markdown that names its language: code hosts draw Mermaid's. */
export function diagramBlock(diagram: string): string {
  if (diagram.startsWith('flowchart')) return quotedBlock(diagram, 'mermaid');
  return quotedBlock(diagram, diagram.startsWith('digraph') ? 'dot' : 'xml');
}

/**
 * A flowchart, left to right. Whatever in a label could be read as Mermaid, Markdown or HTML becomes an entity.
 *
 * Source: mermaid.js.org, Flowcharts: special characters that break syntax, entity codes.
 */
function mermaidLines({ nodes, edges }: NamedParts): string[] {
  const quoted = (text: string): string => {
    const escaped = stripHidden(text).replace(
      /[^\p{L}\p{N} ._/:,()$@+=?!'-]/gu,
      (character) => `#${character.codePointAt(0)};`,
    );
    // An empty label is not drawn.
    return `"${escaped === '' ? ' ' : escaped}"`;
  };
  return [
    'flowchart LR',
    ...nodes.map(([name, { label }]) => `  ${name}[${quoted(label)}]`),
    ...edges.map(({ from, to, kind }) =>
      kind === '' ? `  ${from} --> ${to}` : `  ${from} -->|${quoted(kind)}| ${to}`,
    ),
  ];
}

/**
 * A directed graph for Graphviz, left to right. It ignores the attributes `kind`, `path` and `line` of nodes.
 *
 * Source: graphviz.org, The DOT Language; escString for what labels interpret.
 */
function dotLines({ title, nodes, edges }: NamedParts): string[] {
  const quoted = (text: string): string => {
    const escaped = stripHidden(text).replace(/[\\"]/gu, '\\$&').replaceAll('\n', '\\n');
    return `"${escaped}"`;
  };
  const attributes = (values: Readonly<Record<string, string>>): string => {
    const written = Object.entries(values).filter(([, value]) => value !== '');
    return `[${written.map(([name, value]) => `${name}=${quoted(value)}`).join(', ')}]`;
  };
  return [
    `digraph ${quoted(title)} {`,
    '  rankdir=LR;',
    '  node [shape=box];',
    ...nodes.map(([name, { id, label, kind, path, line }]) => {
      const place = path ? { path, line: line ? String(line) : '' } : {};
      return `  ${name} ${attributes({ label, tooltip: id, kind, ...place })};`;
    }),
    ...edges.map(({ from, to, kind }) => `  ${from} -> ${to} ${attributes({ label: kind })};`),
    '}',
  ];
}

const GRAPHML_KEYS = [
  ['id', 'string'],
  ['label', 'string'],
  ['kind', 'string'],
  ['path', 'string'],
  ['line', 'int'],
] as const;

/** A directed graph that yEd, Gephi and networkx read. Source: graphml.graphdrawing.org, GraphML Primer. */
function graphmlLines({ title, nodes, edges }: NamedParts): string[] {
  const dataOf = (key: string, value: string | number): string =>
    value === '' ? '' : `<data key="${key}">${xmlText(String(value))}</data>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...GRAPHML_KEYS.map(
      ([name, type]) => `  <key id="${name}" for="node" attr.name="${name}" attr.type="${type}"/>`,
    ),
    '  <key id="edge_kind" for="edge" attr.name="kind" attr.type="string"/>',
    '  <key id="title" for="graph" attr.name="title" attr.type="string"/>',
    '  <graph id="G" edgedefault="directed">',
    `    <data key="title">${xmlText(title)}</data>`,
    ...nodes.map(([name, node]) => {
      const data = GRAPHML_KEYS.map(([key]) => dataOf(key, node[key] ?? '')).join('');
      return `    <node id="${name}">${data}</node>`;
    }),
    ...edges.map(
      ({ from, to, kind }) => `    <edge source="${from}" target="${to}">${dataOf('edge_kind', kind)}</edge>`,
    ),
    '  </graph>',
    '</graphml>',
  ];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
};

/** XML has no lone surrogates and no noncharacters; other characters that it lacks are hidden ones, which are stripped. */
function xmlText(text: string): string {
  return stripHidden(text)
    .replace(
      /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|[\ufffe\uffff]/g,
      '\ufffd',
    )
    .replace(/[&<>"'\n]/g, (character) => ENTITIES[character] ?? character);
}
