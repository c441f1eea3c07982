import { FUNCTIONS } from '../../../cypher/functions/index.js';
import type { OpenGraph } from '../../../host/index.js';
import { answer } from '../../../host/index.js';
import {
  EDGE_ALIASES,
  EDGE_ENDS,
  edgeArchetype,
  edgesOf,
  LABEL_RULES,
  labelsOf,
  listedSpelling,
  MEMORY_RELATION_PREFIX,
  NODE_ARCHETYPES,
} from '../../../schema/index.js';
import type { Files } from '../project.js';

/** The project that the page's examples ask about, and what an agent did there. */
export const SHOP: Files = {
  'package.json': '{ "name": "shop" }\n',
  'src/money.ts': 'export function round(value: number) {\n  return Math.round(value);\n}\n',
  'src/cart.ts': [
    "import { round } from './money.js';",
    '',
    '/** What somebody is about to buy. */',
    'export class Cart {',
    '  total(prices: number[]) {',
    '    return round(sum(prices));',
    '  }',
    '}',
    '',
    'export function sum(prices: number[]) {',
    '  return prices.reduce((all, one) => all + one, 0);',
    '}',
    '',
  ].join('\n'),
  'src/order.ts': [
    "import { Cart } from './cart.js';",
    '',
    'export class Order extends Cart {',
    '  pay() {',
    '    return this.total([1, 2]);',
    '  }',
    '}',
    '',
  ].join('\n'),
  'src/server.ts': [
    "import express from 'express';",
    "import { sum } from './cart.js';",
    '',
    'const app = express();',
    '// TODO: tell prices in cents',
    "app.get('/total', (request, response) => response.json(sum(request.body)));",
    "app.post('/checkout', checkout);",
    'function checkout() {}',
    '',
  ].join('\n'),
  'src/Total.tsx': [
    'export function Price({ value }: { value: number }) {',
    '  return <b>{value}</b>;',
    '}',
    'export function Total() {',
    '  return <Price value={1} />;',
    '}',
    '',
  ].join('\n'),
  'test/cart.test.ts': [
    "import { Cart } from '../src/cart.js';",
    '',
    "it('adds up', () => {",
    '  new Cart().total([1]);',
    '});',
    '',
  ].join('\n'),
};

/** What was done in {@link SHOP}: an edit, and a run that failed. */
export async function workInShop(graph: OpenGraph): Promise<void> {
  const log = (kind: string, payload: object, ts: string, more: object = {}) =>
    answer(graph, 'etg_log_event', { session_id: 's1', kind, payload, ts, ...more });
  await log('task_start', { user_prompt: 'round totals to cents' }, '2026-01-01T10:00:00Z');
  await log('step', { order: 1, role: 'editing' }, '2026-01-01T10:00:01Z');
  const edit = { tool_name: 'edit', files_touched: ['src/money.ts'] };
  await log('tool_start', edit, '2026-01-01T10:00:02Z', { tool_id: 't1' });
  await log('tool_end', { ...edit, success: true }, '2026-01-01T10:00:03Z', { tool_id: 't1' });
  await log(
    'error',
    { error_type: 'test_failure', message: 'adds up: expected 1.01' },
    '2026-01-01T10:00:04Z',
  );
}

/** What the page shows, each with the rows that it gives. */
const EXAMPLES: readonly { readonly title: string; readonly query: string; readonly parameters?: object }[] =
  [
    {
      title: 'Who calls it, and who calls them',
      query:
        'MATCH (a)-[:CALLS*1..2]->(b:Function {name: $name})\nRETURN DISTINCT a.qualified_name AS caller\nORDER BY caller',
      parameters: { name: 'round' },
    },
    {
      title: 'All methods of classes that extend one',
      query:
        'MATCH (b:Class {name: "Cart"})<-[:EXTENDS*]-(c:Class)-[:HAS_METHOD]->(m)\nRETURN c.name AS class, m.name AS method',
    },
    {
      title: 'What is called most',
      query:
        'MATCH ()-[:CALLS]->(f:Symbol)\nRETURN f.qualified_name AS called, count(*) AS calls\nORDER BY calls DESC, called LIMIT 3',
    },
    {
      title: 'Exported functions that no test reaches',
      query:
        'MATCH (f:Function {exported: true})\nWHERE NOT EXISTS { (:Test)-[:TESTS]->(f) }\nRETURN f.qualified_name AS untested ORDER BY untested',
    },
    {
      title: 'Files that depend on each other, with what they import',
      query:
        'MATCH (a:File)-[:IMPORTS]->(b:File)\nRETURN a.path AS file, collect(b.path) AS imports ORDER BY file',
    },
    {
      title: 'The shortest way from one file to another',
      query:
        'MATCH p = shortestPath((a:File {path: "src/order.ts"})-[:IMPORTS*]->(b:File {path: "src/money.ts"}))\nRETURN [n IN nodes(p) | n.path] AS way, length(p) AS hops',
    },
    {
      title: 'What an agent did, to which code, and who calls that',
      query:
        'MATCH (t:Task)-[:HAS_STEP]->(s)-[:INVOKES_TOOL]->()-[:TOUCHES_FILE]->(:File)-[:DEFINES]->(f)<-[:CALLS]-(caller)\nRETURN t.user_prompt AS task, s.role AS role, f.name AS touched, caller.name AS caller',
    },
    {
      title: 'Files with what failed while they were worked on',
      query:
        'MATCH (s:Step)-[:HAS_ERROR]->(e:Error)\nMATCH (s)-[:INVOKES_TOOL]->()-[:TOUCHES_FILE]->(f)\nRETURN f.path AS file, e.error_type AS error, e.message AS message',
    },
    {
      title:
        'HTTP routes and the code that they run: a handler by name, and what a handler written in place calls',
      query:
        'MATCH (r:Route)-[u:REFERENCES|CALLS]->(f:Function)\nWHERE type(u) = "CALLS" OR u.access = "run"\nRETURN r.name AS route, f.qualified_name AS runs ORDER BY route',
    },
    {
      title: 'Components and who renders them',
      query:
        'MATCH (c:Component)\nOPTIONAL MATCH (c)<-[:CALLS]-(by:Component)\nRETURN c.name AS component, collect(by.name) AS rendered_by ORDER BY component',
    },
    {
      title: 'What comments leave to do, and where',
      query:
        'MATCH (f:File)-[:MENTIONS_CONCEPT]->(c:Concept {source: "todo"})\nRETURN f.path AS file, c.label AS todo',
    },
    {
      title: 'Keys of configurations',
      query: 'MATCH (k:Config) RETURN k.file_path AS file, k.name AS key, k.signature AS written',
    },
    {
      title: 'Each class with its documentation and its size',
      query:
        'MATCH (c:Class)\nOPTIONAL MATCH (c)-[:DOCUMENTED_BY]->(d:DocString)\nRETURN c.name AS class, d.content AS documented, COUNT { (c)-[:HAS_METHOD]->() } AS methods ORDER BY class',
    },
  ];

/** The parts of docs/reference/cypher.md that are made. */
export async function cypherParts(graph: OpenGraph): Promise<Readonly<Record<string, string>>> {
  return { examples: await examples(graph), schema: schemaCard(), functions: functionTables() };
}

async function examples(graph: OpenGraph): Promise<string> {
  const shown: string[] = [];
  for (const { title, query, parameters = {} } of EXAMPLES) {
    const { markdown } = await answer(graph, 'query_cypher', { query, parameters });
    const given = Object.keys(parameters).length === 0 ? '' : `, with \`${JSON.stringify(parameters)}\``;
    const rows = markdown.slice(markdown.indexOf('|')).trimEnd();
    shown.push(`${title}${given}:\n\n\`\`\`cypher\n${query}\n\`\`\`\n\n${rows}`);
  }
  return shown.join('\n\n');
}

function schemaCard(): string {
  const nodes = NODE_ARCHETYPES.filter(
    (type) => type.parents.length === 0 && labelsOf({ type: type.name, props: {} }).length > 0,
  ).map((type) => [
    [
      ...new Set(LABEL_RULES.filter(({ archetype }) => isIn(archetype, type.name)).map(({ label }) => label)),
    ].join(', '),
    Object.keys(type.shape)
      .map((name) => `\`${listedSpelling(type.name, name)}\``)
      .join(' '),
  ]);
  const memory = new Set(
    EDGE_ENDS.filter(({ edge }) => edge.startsWith(MEMORY_RELATION_PREFIX)).map(({ edge }) =>
      edge.slice(MEMORY_RELATION_PREFIX.length),
    ),
  );
  const edges = Object.keys(EDGE_ALIASES)
    .filter((name) => edgesOf(name).some(({ edge }) => !edge.startsWith(MEMORY_RELATION_PREFIX)))
    .map((name) => {
      const stored = edgesOf(name).filter(({ edge }) => !edge.startsWith(MEMORY_RELATION_PREFIX));
      const ends = stored.flatMap(({ edge, reversed, to }) =>
        EDGE_ENDS.filter((one) => one.edge === edge).map((one) => {
          const target = to === undefined ? one.to.join(' or ') : to;
          return reversed ? `${target} → ${one.from.join(' or ')}` : `${one.from.join(' or ')} → ${target}`;
        }),
      );
      const properties = new Set(stored.flatMap(({ edge }) => Object.keys(edgeArchetype(edge)?.shape ?? {})));
      return [
        `\`${name}\``,
        [...new Set(ends)].join('; '),
        [...properties].map((one) => `\`${one}\``).join(' '),
      ];
    });
  return [
    table(['labels', 'properties'], nodes),
    '',
    table(['relationship', 'from → to', 'properties'], edges),
    '',
    `Between memories: ${[...memory].map((name) => `\`${name}\``).join(' ')}.`,
  ].join('\n');
}

function functionTables(): string {
  const all = [...FUNCTIONS.values()];
  return [...new Set(all.map(({ group }) => group))]
    .map((group) =>
      [
        `**${group[0]?.toUpperCase()}${group.slice(1)}**`,
        '',
        table(
          ['function', 'what', 'example', 'gives'],
          all
            .filter((one) => one.group === group)
            .map(({ signature, doc, example, gives }) => [
              `\`${signature}\``,
              doc,
              `\`${example}\``,
              gives === null ? '' : `\`${gives}\``,
            ]),
        ),
      ].join('\n'),
    )
    .join('\n\n');
}

function isIn(archetype: string, root: string): boolean {
  return NODE_ARCHETYPES.some(({ name, lineage }) => name === archetype && lineage.has(root));
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}
