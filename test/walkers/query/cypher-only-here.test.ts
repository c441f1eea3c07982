import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { answer, type OpenGraph } from '../../../host/index.js';
import type { CypherOutput } from '../../../walkers/query/query-cypher.js';
import { type Files, index, indexed } from '../project.js';

// Nodes that only certain patterns see: those that are made of others, and those that are gone but still told of. A
// query has the same rows whichever node its plan begins at.

const SHOP: Files = {
  'shop/cart.py':
    '"""Carts."""\n\n\nclass Cart:\n    """Holds items."""\n\n    def add(self, item):\n        # keep it\n        return item\n',
  'shop/old.py': 'def legacy():\n    return 1\n',
};

async function rowsOf(graph: OpenGraph, query: string): Promise<unknown[]> {
  const { body } = await answer(graph, 'query_cypher', { query });
  return (body as unknown as CypherOutput).results.rows;
}

test('chunks and documentation are found from either end, with and without their labels', async () => {
  const { graph } = await indexed(SHOP);
  for (const [pattern, rows] of [
    ['(c:CodeChunk)-[:PART_OF]->(f:File)', 3],
    ['(c)-[:PART_OF]->(f)', 3],
    ['()-[:PART_OF]->()', 3],
    ['(f)-[:PART_OF]-(c)', 6],
    ['(c {name: "add"})-[:PART_OF]->(f)', 1],
    ['(d)<-[:DOCUMENTED_BY]-()', 2],
    ['(d {entity_type: "class"})<-[:DOCUMENTED_BY]-(c)', 1],
    ['(c:Class)-[r]->(d:DocString)', 1],
    ['(d:DocString)<-[r]-(c:Class)', 1],
    ['(c {name: "Cart"})-[r]-(d:DocString)', 1],
    ['(f:File)-[*1..2]-(d:DocString)', 0],
    ['(d:DocString)-[*1..2]-(f:File)', 0],
    ['(n:DocString|Comment)', 3],
    ['(n:Class|Symbol|Method)', 3],
  ] as const)
    expect([pattern, await rowsOf(graph, `MATCH ${pattern} RETURN count(*) AS rows`)]).toEqual([
      pattern,
      [{ rows }],
    ]);
});

test('a file that is gone is found where a trace tells of it, by whichever end, and nowhere else', async () => {
  const { root, graph } = await indexed(SHOP);
  const log = (kind: string, payload: object, second: number, more: object = {}) =>
    answer(graph, 'etg_log_event', {
      session_id: 's1',
      kind,
      payload,
      ts: `2026-01-01T10:00:0${second}Z`,
      ...more,
    });
  const edit = { tool_name: 'edit', files_touched: ['shop/old.py', 'shop/cart.py'], success: true };
  await log('task_start', { user_prompt: 'drop what is old' }, 0);
  await log('step', { order: 1, role: 'editing' }, 1);
  await log('tool_start', edit, 2, { tool_id: 't1' });
  await log('tool_end', edit, 3, { tool_id: 't1' });
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
    expect([pattern, await rowsOf(graph, `MATCH ${pattern} RETURN f.path, f.gone`)]).toEqual([
      pattern,
      [{ 'f.path': 'shop/old.py', 'f.gone': true }],
    ]);
  expect(await rowsOf(graph, 'MATCH ()-[r:TOUCHES_FILE]-() RETURN count(r) AS edges')).toEqual([
    { edges: 4 },
  ]);
  expect(await rowsOf(graph, 'MATCH (f:File) RETURN f.path, f.gone')).toEqual([
    { 'f.path': 'shop/cart.py', 'f.gone': null },
  ]);
});

test('a file that changed since it was indexed is named where its comments and chunks are asked for', async () => {
  const { root, graph } = await indexed(SHOP);
  appendFileSync(join(root, 'shop/cart.py'), '# more\n');
  const told = async (query: string) => {
    const { body } = await answer(graph, 'query_cypher', { query });
    return [(body as unknown as CypherOutput).results.rows, body.state.pending_files ?? []];
  };
  const changed = ['shop/cart.py'];
  expect(await told('MATCH (c:Comment) RETURN count(*) AS n')).toEqual([[{ n: 0 }], changed]);
  expect(await told('MATCH (c:CodeChunk {name: "add"}) RETURN c.content')).toEqual([
    [{ 'c.content': null }],
    changed,
  ]);
  expect(await told('MATCH (d:DocString) RETURN count(*) AS n')).toEqual([[{ n: 2 }], []]);
});
