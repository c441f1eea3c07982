import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answer, type OpenGraph } from '../../../host/index.js';
import type { CypherOutput } from '../../../walkers/query/query-cypher.js';
import { type Files, index, indexed, indexedOnce, log } from '../project.js';

// How a graph looks to Cypher: labels, spellings, names of edges, and what only certain patterns see. A query has the
// same rows whichever node its plan begins at.

const SHOP: Files = {
  'pyproject.toml': '[project]\nname = "shop"\n',
  'shop/__init__.py': '',
  'shop/cart.py':
    '"""Carts."""\nimport os\n\n\nclass Cart:\n    """Holds items."""\n\n    def add(self, item):\n        # keep it\n        self.check(item)\n\n    def check(self, item):\n        return os.path.exists(item)\n',
  'shop/old.py': 'def legacy():\n    return 1\n',
  'tests/test_cart.py': 'from shop.cart import Cart\n\n\ndef test_adds():\n    Cart().add("x")\n',
};

const shop = indexedOnce(SHOP);

async function rowsOf(query: string, graph?: OpenGraph): Promise<readonly Record<string, unknown>[]> {
  const { body } = await answer(graph ?? (await shop()), 'query_cypher', { query, limit: 1000 });
  return (body as unknown as CypherOutput).results.rows;
}

/** The only column of the rows of a query, as a list. */
async function valuesOf(query: string, graph?: OpenGraph): Promise<unknown[]> {
  return (await rowsOf(query, graph)).flatMap((row) => Object.values(row));
}

test.each([
  // Labels, wherever their rules look.
  ['MATCH (n:Function) RETURN n.name', ['legacy', 'test_adds']],
  ['MATCH (n:Method) RETURN n.name', ['add', 'check']],
  ['MATCH (n:Module) RETURN n.name', ['__init__.py', 'cart.py', 'old.py', 'test_cart.py']],
  ['MATCH (n:Package) RETURN n.name', ['shop']],
  ['MATCH (n:Nothing) RETURN n.name', []],
  // A property in every spelling; whole numbers and others.
  [
    'MATCH (n:Method {name: "add"}) RETURN [n.line_start, n.lineno, n.start_line, n.file_path, n.path, n.class_name, n.nothing]',
    [[8, 8, 8, 'shop/cart.py', 'shop/cart.py', 'shop.cart.Cart', null]],
  ],
  [
    'MATCH (:Method {name: "add"})-[c:CALLS]->() RETURN [toString(c.confidence), toString(c.line), c.call_type]',
    [['1.0', '10', 'method']],
  ],
  // An edge under the name that is asked for, reversed names against it.
  ['MATCH (:Class)-[r:HAS_METHOD]->(b) RETURN type(r) + b.name', ['HAS_METHODadd', 'HAS_METHODcheck']],
  [
    'MATCH (:Class)-[r:SYMBOL_CONTAINS_SYMBOL]->(b) RETURN type(r) + b.name',
    ['SYMBOL_CONTAINS_SYMBOLadd', 'SYMBOL_CONTAINS_SYMBOLcheck'],
  ],
  ['MATCH (:Class)-[r:symbol_contains_symbol]->(b) RETURN b.name', ['add', 'check']],
  ['MATCH (:Method {name: "add"})-[:DEFINED_IN]->(f) RETURN f.name', ['cart.py']],
  ['MATCH (:Method {name: "add"})<-[:DEFINES]-(f) RETURN f.name', ['cart.py']],
  [
    'MATCH (m:Method {name: "add"})-[c:CALLS]-() RETURN startNode(c).name + " " + endNode(c).name',
    ['add check', 'test_adds add'],
  ],
  ['MATCH (:Method {name: "add"})-[:INHERITS]->(b) RETURN b', []],
  // Look-ups by an index.
  ['MATCH (n {qualified_name: "shop.cart.Cart.add"}) RETURN n.id', ['m:shop/cart.py:Cart.add']],
  ['MATCH (n:Method {qualname: "shop.cart.Cart.add"}) RETURN n.id', ['m:shop/cart.py:Cart.add']],
  ['MATCH (n) WHERE n.id IN ["cls:shop/cart.py:Cart", "fn:nothing"] RETURN n.id', ['cls:shop/cart.py:Cart']],
  ['MATCH (n:Method {signature: "x"}) RETURN n.id', []],
  // From the Project to every node in one hop where the pattern asks for a Project.
  ['MATCH (:Project)-[r:CONTAINS]->(n) RETURN count(n) + 1 = COUNT { MATCH (m) }', [true]],
  ['MATCH (p {name: "shop"})-[:CONTAINS]->(n:Function) RETURN n.name', []],
  ['MATCH (:Project)-[:CONTAINS*1..1]->(n) RETURN count(n)', [1]],
  ['MATCH (n:Method {name: "add"})<-[:CONTAINS]-(p:Project) RETURN labels(p)', [['Project']]],
  // Documentation, comments and chunks.
  ['MATCH (d:DocString) RETURN d.id', ['doc:file:shop/cart.py', 'doc:cls:shop/cart.py:Cart']],
  ['MATCH (:Class)-[:DOCUMENTED_BY]->(d) RETURN d.content', ['Holds items.']],
  [
    'MATCH (c:CodeChunk {name: "check"})-[:PART_OF]->(f) RETURN [c.content, f.id]',
    [['    def check(self, item):\n        return os.path.exists(item)', 'file:shop/cart.py']],
  ],
  [
    'MATCH (c:Comment) RETURN c',
    [
      {
        id: 'comment:shop/cart.py:9',
        labels: ['Comment'],
        content: 'keep it',
        type: 'line',
        file_path: 'shop/cart.py',
        line_number: 9,
      },
    ],
  ],
])('%s', async (query, values) => {
  expect((await valuesOf(query)).sort()).toEqual([...values].sort());
});

test.each([
  ['(c:CodeChunk)-[:PART_OF]->(f:File)', 7],
  ['(c)-[:PART_OF]->(f)', 7],
  ['()-[:PART_OF]->()', 7],
  ['(f)-[:PART_OF]-(c)', 14],
  ['(c {name: "add"})-[:PART_OF]->(f)', 1],
  ['(d)<-[:DOCUMENTED_BY]-()', 2],
  ['(d {entity_type: "class"})<-[:DOCUMENTED_BY]-(c)', 1],
  ['(c:Class)-[r]->(d:DocString)', 1],
  ['(d:DocString)<-[r]-(c:Class)', 1],
  ['(c {name: "Cart"})-[r]-(d:DocString)', 1],
  ['(f:File)-[*1..2]-(d:DocString)', 0],
  ['(d:DocString)-[*1..2]-(f:File)', 0],
  ['(n:DocString|Comment)', 3],
  ['(n:Class|Function|Method)', 5],
])('%s has %i rows, from either end', async (pattern, rows) => {
  expect(await valuesOf(`MATCH ${pattern} RETURN count(*)`)).toEqual([rows]);
});

test('a node is shown whole in the spelling of the structural tools', async () => {
  const [shown] = await valuesOf('MATCH (c:Class {name: "Cart"}) RETURN c');
  expect(shown).toMatchObject({
    id: 'cls:shop/cart.py:Cart',
    labels: ['Symbol', 'Class'],
    qualified_name: 'shop.cart.Cart',
    file_path: 'shop/cart.py',
    line_start: 5,
    line_end: 13,
    docstring: 'Holds items.',
  });
  expect(shown).not.toHaveProperty('path');
});

test('a file that is gone is found where a trace names it, by whichever end, and nowhere else', async () => {
  const { root, graph } = await indexed(SHOP);
  const edit = { tool_name: 'edit', files_touched: ['shop/old.py', 'shop/cart.py'], success: true };
  const at = (second: number, more: object = {}) => ({
    session_id: 's1',
    ts: `2026-01-01T10:00:0${second}Z`,
    ...more,
  });
  await log(graph, 'task_start', { user_prompt: 'drop what is old' }, at(0));
  await log(graph, 'step', { order: 1, role: 'editing' }, at(1));
  await log(graph, 'tool_start', edit, at(2, { tool_id: 't1' }));
  await log(graph, 'tool_end', edit, at(3, { tool_id: 't1' }));
  rmSync(join(root, 'shop/old.py'));
  await index(graph, { mode: 'incremental' });

  for (const pattern of [
    '(f:File {path: "shop/old.py"})<-[:TOUCHES_FILE]-()',
    '(f {file_path: "shop/old.py"})<-[:TOUCHES_FILE]-()',
    '(f:File {id: "file:shop/old.py"})-[r]-()',
    '(f:File {gone: true})<-[r]-()',
    '(f:File {name: "old.py"})<-[:TOUCHES_FILE]-()<-[:INVOKES_TOOL]-(:Step)',
    '(f)-[:TOUCHES_FILE]-(:ToolInvocation) WHERE f.gone',
    '(t:Task)-[:HAS_STEP]->()-[:INVOKES_TOOL]->()-[:TOUCHES_FILE]->(f) WHERE f.path STARTS WITH "shop/o"',
  ])
    expect([pattern, await rowsOf(`MATCH ${pattern} RETURN f.path, f.gone`, graph)]).toEqual([
      pattern,
      [{ 'f.path': 'shop/old.py', 'f.gone': true }],
    ]);
  expect(await valuesOf('MATCH ()-[r:TOUCHES_FILE]-() RETURN count(r)', graph)).toEqual([4]);
  expect(await valuesOf('MATCH (f:File) WHERE f.gone OR f.name = "old.py" RETURN f.path', graph)).toEqual([]);
});

test('a file that changed since it was indexed is named where its comments and chunks are asked for', async () => {
  const { root, graph } = await indexed(SHOP);
  appendFileSync(join(root, 'shop/cart.py'), '# more\n');
  for (const [query, value, changed] of [
    ['MATCH (c:Comment) RETURN count(*)', 0, ['shop/cart.py']],
    ['MATCH (c:CodeChunk {name: "add"}) RETURN c.content', null, ['shop/cart.py']],
    ['MATCH (d:DocString) RETURN count(*)', 2, []],
  ] as const) {
    const { body } = await answer(graph, 'query_cypher', { query });
    const { rows } = (body as unknown as CypherOutput).results;
    expect([rows.flatMap((row) => Object.values(row)), body.state.pending_files ?? []]).toEqual([
      [value],
      changed,
    ]);
  }
});
