import { type ASTNode, parse } from '@ts-graphviz/ast';
import { DOMParser } from '@xmldom/xmldom';
import { describe, expect, test } from 'vitest';
import { type Diagram, diagramText } from '../../../walkers/diagram/index.js';

/** Names that each of the three languages could take for its own. */
const NASTY = [
  'plain',
  'with "quotes" and \'others\'',
  'back\\slash\\',
  'ends in \\"',
  'two\nlines',
  'a --> b',
  'a -- b ]; n0',
  '<b>&amp;</b> ]]> <!-- -->',
  '#quot; #35; %% comment',
  '`markdown` **bold**',
  '{} [] () (( )) |pipe|',
  'end',
  'größe 数 🙂 e\u0301',
  'subgraph x; digraph { }',
  '\\N \\G \\l',
  ' ',
];
const ESCAPED = 'colour \u001b[31mred\u001b[0m and zero\u200bwidth';

const DIAGRAM: Diagram = {
  title: 'A "title" <of> --> it',
  nodes: [
    ...NASTY.map((label, at) => ({
      id: `fn:src/${at}.ts:${label}`,
      label,
      kind: 'function',
      path: 'a&b.ts',
      line: at,
    })),
    { id: 'last', label: ESCAPED, kind: '' },
    { id: 'last', label: 'the same again', kind: '' },
  ],
  edges: [
    ...NASTY.map((_, at) => ({
      from: `fn:src/${at}.ts:${NASTY[at]}`,
      to: `fn:src/${(at + 1) % NASTY.length}.ts:${NASTY[(at + 1) % NASTY.length]}`,
      kind: at % 2 === 0 ? 'CALLS' : 'INHERITS',
    })),
    { from: 'last', to: 'last', kind: 'CALLS' },
    { from: 'last', to: 'nowhere', kind: 'CALLS' },
  ],
};
const LABELS = [...NASTY, 'colour red and zerowidth'];
const ENDS = [...NASTY.map((_, at) => [at, (at + 1) % NASTY.length]), [NASTY.length, NASTY.length]];

describe('a diagram is read back by a parser that is not ours', () => {
  test('in dot, with every name as it was', () => {
    const { nodes, edges, title } = readDot(diagramText(DIAGRAM, 'dot'));
    expect(title).toBe(DIAGRAM.title);
    expect(nodes.map(({ label }) => label)).toEqual(LABELS);
    expect(nodes.map(({ tooltip }) => tooltip).slice(0, NASTY.length)).toEqual(
      DIAGRAM.nodes.slice(0, NASTY.length).map(({ id }) => id),
    );
    expect(edges.map(({ from, to }) => [nameIndex(from), nameIndex(to)])).toEqual(ENDS);
    expect(edges[1]?.label).toBe('INHERITS');
  });

  test('in graphml, with every name, path and line as it was', () => {
    const { nodes, edges, title } = readGraphml(diagramText(DIAGRAM, 'graphml'));
    expect(title).toBe(DIAGRAM.title);
    expect(nodes.map(({ label }) => label)).toEqual(LABELS);
    expect(nodes[3]).toMatchObject({ id: DIAGRAM.nodes[3]?.id, path: 'a&b.ts', line: '3', kind: 'function' });
    expect(edges.map(({ from, to }) => [nameIndex(from), nameIndex(to)])).toEqual(ENDS);
    expect(edges[1]?.kind).toBe('INHERITS');
  });

  // Mermaid's own parser of flowcharts comes with 60 MB of others: a strict reading of the part that we write stands in.
  test('in mermaid, by a strict grammar of the flowcharts that are written', () => {
    const { nodes, edges } = readMermaid(diagramText(DIAGRAM, 'mermaid'));
    expect(nodes).toEqual(LABELS);
    expect(edges.map(({ from, to }) => [nameIndex(from), nameIndex(to)])).toEqual(ENDS);
    expect(edges[1]?.kind).toBe('INHERITS');
  });

  test('with nothing on it, too', () => {
    const empty: Diagram = { title: '', nodes: [], edges: [] };
    expect(readDot(diagramText(empty, 'dot'))).toMatchObject({ nodes: [], edges: [] });
    expect(readGraphml(diagramText(empty, 'graphml'))).toMatchObject({ nodes: [], edges: [] });
    expect(readMermaid(diagramText(empty, 'mermaid'))).toEqual({ nodes: [], edges: [] });
  });

  test('half a character is written as one that XML knows', () => {
    const half: Diagram = {
      title: '',
      nodes: [{ id: 'a', label: 'x\ud800y\udc00\uffff', kind: '' }],
      edges: [],
    };
    expect(readGraphml(diagramText(half, 'graphml')).nodes[0]?.label).toBe('x\ufffdy\ufffd\ufffd');
  });
});

function nameIndex(name: string): number {
  expect(name).toMatch(/^n\d+$/);
  return Number(name.slice(1));
}

function readDot(text: string) {
  const graph = (parse(text) as ASTNode & { children: ASTNode[] }).children.find(
    (one) => one.type === 'Graph',
  );
  if (graph?.type !== 'Graph') throw new Error('no graph');
  const valuesOf = (children: readonly ASTNode[]) =>
    Object.fromEntries(
      children.flatMap((one) =>
        one.type === 'Attribute' ? [[one.key.value, escString(one.value.value)]] : [],
      ),
    );
  const nodes: Record<string, string>[] = [];
  const edges: ({ from: string; to: string } & Record<string, string>)[] = [];
  for (const one of graph.children) {
    if (one.type === 'Node') nodes.push({ name: one.id.value, ...valuesOf(one.children) });
    if (one.type !== 'Edge') continue;
    const [from, to] = one.targets.map((end) => (end.type === 'NodeRef' ? end.id.value : ''));
    edges.push({ from: from ?? '', to: to ?? '', ...valuesOf(one.children) });
  }
  return { title: escString(graph.id?.value ?? ''), nodes, edges };
}

/** What Graphviz shows for an escString whose `\"` the parser has read already, or not. */
function escString(text: string): string {
  return text.replace(/\\([\\"n])/g, (_, escaped) => (escaped === 'n' ? '\n' : escaped));
}

function readGraphml(text: string) {
  const errors: string[] = [];
  const document = new DOMParser({
    onError: (level, message) => {
      if (!message.includes('replacement character')) errors.push(`${level}: ${message}`);
    },
  }).parseFromString(text, 'text/xml');
  expect(errors).toEqual([]);
  const all = (tag: string) => [...document.getElementsByTagName(tag)];
  const declared = new Set(all('key').map((key) => key.getAttribute('id')));
  const dataOf = (element: ReturnType<typeof all>[number]) =>
    Object.fromEntries(
      [...element.childNodes].flatMap((child) => {
        if (child.nodeName !== 'data') return [];
        const key =
          all('data')
            .find((one) => one === child)
            ?.getAttribute('key') ?? '';
        expect(declared).toContain(key);
        return [[key.replace('edge_', ''), child.textContent ?? '']];
      }),
    );
  const [graph] = all('graph');
  if (!graph) throw new Error('no graph');
  expect(graph.getAttribute('edgedefault')).toBe('directed');
  return {
    title: dataOf(graph).title,
    nodes: all('node').map(
      (node) => ({ name: node.getAttribute('id'), ...dataOf(node) }) as Record<string, string>,
    ),
    edges: all('edge').map((edge) => ({
      from: edge.getAttribute('source') ?? '',
      to: edge.getAttribute('target') ?? '',
      kind: dataOf(edge).kind,
    })),
  };
}

function readMermaid(text: string) {
  const [head, ...lines] = text.trimEnd().split('\n');
  expect(head).toBe('flowchart LR');
  const nodes: string[] = [];
  const edges: { from: string; to: string; kind: string }[] = [];
  // Within quotes: no quote, no line end, and none of the characters that begin something in a label.
  const label = '"((?:#\\d+;|[^"#`<>&|{}\\[\\]\\\\%\\n])+)"';
  for (const line of lines) {
    const node = new RegExp(`^ {2}n(\\d+)\\[${label}\\]$`).exec(line);
    const edge = new RegExp(`^ {2}(n\\d+) -->(?:\\|${label}\\|)? (n\\d+)$`).exec(line);
    expect(node ?? edge, line).not.toBeNull();
    if (node) {
      expect(Number(node[1])).toBe(nodes.length);
      nodes.push(entities(node[2] ?? ''));
    }
    if (edge) edges.push({ from: edge[1] ?? '', to: edge[3] ?? '', kind: entities(edge[2] ?? '') });
  }
  return { nodes, edges };
}

function entities(text: string): string {
  return text.replace(/#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
}
