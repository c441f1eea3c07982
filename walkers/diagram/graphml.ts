import { stripHidden } from '../../present/index.js';
import { type Diagram, namedParts } from './diagram.js';

const KEYS = [
  ['id', 'node', 'string'],
  ['label', 'node', 'string'],
  ['kind', 'node', 'string'],
  ['path', 'node', 'string'],
  ['line', 'node', 'int'],
] as const;

/**
 * A diagram as GraphML, which yEd, Gephi and networkx read: a directed graph whose nodes carry `id`, `label`, `kind`,
 * `path` and `line`, and whose edges carry `kind`.
 *
 * Source: graphml.graphdrawing.org, GraphML Primer.
 */
export function graphmlText(diagram: Diagram): string {
  const { nodes, edges } = namedParts(diagram);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    ...KEYS.map(
      ([name, of, type]) => `  <key id="${name}" for="${of}" attr.name="${name}" attr.type="${type}"/>`,
    ),
    '  <key id="edge_kind" for="edge" attr.name="kind" attr.type="string"/>',
    '  <key id="title" for="graph" attr.name="title" attr.type="string"/>',
    '  <graph id="G" edgedefault="directed">',
    `    <data key="title">${escaped(diagram.title)}</data>`,
    ...nodes.map(({ name, node }) => {
      const data = KEYS.map(([key]) => dataOf(key, node[key] ?? '')).join('');
      return `    <node id="${name}">${data}</node>`;
    }),
    ...edges.map(
      ({ from, to, edge: { kind } }) =>
        `    <edge source="${from}" target="${to}">${dataOf('edge_kind', kind)}</edge>`,
    ),
    '  </graph>',
    '</graphml>',
    '',
  ].join('\n');
}

function dataOf(key: string, value: string | number): string {
  return value === '' ? '' : `<data key="${key}">${escaped(String(value))}</data>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** XML knows no half of a surrogate pair; other characters that it does not know are hidden ones, which are gone. */
function escaped(text: string): string {
  return stripHidden(text)
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
    .replace(/\n/g, '&#10;');
}
