import { describe, expect, test } from 'vitest';
import { answer } from '../../../host/index.js';
import { type Diagram, diagramText } from '../../../present/index.js';
import { type Files, indexed } from '../project.js';
import { readDot, readGraphml, readMermaid } from './read-diagram.js';

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

const CODE: Files = {
  'src/a.ts':
    'import { help } from \'./b.js\';\nexport class Base { go() { return help(); } }\nexport class Mine extends Base {}\n/** Says "a --> b". */\nexport const main = () => new Mine().go();\n',
  'src/b.ts': 'export function help(): number { return help(); }\n',
};

describe('a part of the graph as a diagram', () => {
  test('of a call graph has its nodes and its calls', async () => {
    const { graph } = await indexed(CODE);
    const { body, markdown } = await answer(graph, 'query_call_graph', {
      entry_point: 'main',
      format: 'dot',
    });
    const { nodes, edges, title } = readDot(String((body.results as { diagram?: string }).diagram));
    expect(title).toBe('Call graph of main');
    expect(nodes.map(({ label }) => label?.split(/[./]/).at(-1))).toEqual(['main', 'Mine', 'go', 'help']);
    expect(edges.map(({ from, to, label }) => `${from} ${to} ${label}`).sort()).toEqual([
      'n0 n1 constructor',
      'n0 n2 method',
      'n2 n3 direct',
      'n3 n3 direct',
    ]);
    expect(markdown).toContain('```dot\ndigraph');
  });

  test('of an export has all of its nodes and edges, in each language', async () => {
    const { graph } = await indexed(CODE);
    const lines = (await graph.spawn('graph_export')).reports as { type: string; id?: string }[];
    const ids = lines.flatMap(({ id }) => (id === undefined ? [] : [id]));
    const counts = [ids.length, lines.length - ids.length];
    const drawn = async (format: string) =>
      `${(await graph.spawn('graph_export', null, { format })).reports.join('\n')}\n`;
    const dot = readDot(await drawn('dot'));
    expect([dot.nodes.length, dot.edges.length]).toEqual(counts);
    expect(dot.nodes.map(({ tooltip }) => tooltip)).toEqual(ids);
    const graphml = readGraphml(await drawn('graphml'));
    expect([graphml.nodes.length, graphml.edges.length]).toEqual(counts);
    expect(graphml.nodes.map(({ id }) => id)).toEqual(ids);
    expect(graphml.edges.map(({ kind }) => kind)).toContain('INHERITS');
    const mermaid = readMermaid(await drawn('mermaid'));
    expect([mermaid.nodes.length, mermaid.edges.length]).toEqual(counts);
  });
});
