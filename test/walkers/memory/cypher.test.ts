import { expect, test } from 'vitest';
import { answer, type OpenGraph } from '../../../host/index.js';
import { MEMORY_RELATIONS } from '../../../schema/index.js';
import type { CypherOutput } from '../../../walkers/query/query-cypher.js';
import { indexed } from '../project.js';
import { relate, storeIn } from './memories.js';

async function rows(
  graph: OpenGraph,
  query: string,
  parameters: object = {},
): Promise<CypherOutput['results']['rows']> {
  const { body } = await answer(graph, 'query_cypher', { query, parameters });
  return (body as unknown as CypherOutput).results.rows;
}

test('memories by text, type and importance, ordered by importance and date', async () => {
  const { graph } = await indexed({});
  await storeIn(graph, 'old', { type: 'solution', content: 'a timeout', importance: 0.8 });
  await storeIn(graph, 'timeout', { type: 'solution', content: 'x', importance: 0.8 });
  await storeIn(graph, 'vital', { type: 'problem', content: 'timeout', importance: 0.9 });
  await storeIn(graph, 'weak', { type: 'problem', content: 'timeout', importance: 0.2 });
  await storeIn(graph, 'other', { type: 'general', content: 'timeout', importance: 1 });
  const query =
    'MATCH (m:Memory) WHERE (m.title CONTAINS $q OR m.content CONTAINS $q) AND m.type IN $types AND m.importance >= $min ' +
    'RETURN m.id AS id ORDER BY m.importance DESC, m.created_at DESC LIMIT 50';
  const found = await rows(graph, query, { q: 'timeout', types: ['solution', 'problem'], min: 0.5 });
  expect(found.map(({ id }) => id)).toEqual(['vital', 'timeout', 'old']);
});

test('what is related within two hops, distinct, with the first relationship and its strength as sort key', async () => {
  const { graph } = await indexed({});
  for (const title of ['a', 'b', 'c', 'd']) await storeIn(graph, title);
  await relate(graph, 'a SOLVES b 0.9', 'c CAUSES a 0.4', 'b LEADS_TO d 1', 'd REQUIRES a 0.6');
  const query =
    'MATCH (start:Memory {id: $id}) MATCH (start)-[r*1..2]-(related:Memory) WHERE related.id <> start.id ' +
    'WITH DISTINCT related, r[0] AS first ' +
    'RETURN related.id AS id, type(first) AS relationship, first.strength AS strength ' +
    'ORDER BY first.strength DESC, related.importance DESC, related.id LIMIT 20';
  expect(await rows(graph, query, { id: 'a' })).toEqual([
    { id: 'b', relationship: 'SOLVES', strength: 0.9 },
    { id: 'd', relationship: 'SOLVES', strength: 0.9 },
    { id: 'b', relationship: 'REQUIRES', strength: 0.6 },
    { id: 'd', relationship: 'REQUIRES', strength: 0.6 },
    { id: 'c', relationship: 'CAUSES', strength: 0.4 },
  ]);
});

test("the neighbourhood of a node that is found by its vector's id, cut at ten", async () => {
  const calls = Array.from({ length: 15 }, (_, at) => `export function f${at}() { hub(); }\n`).join('');
  const { graph } = await indexed({ 'src/hub.ts': `export function hub() {}\n${calls}` });
  await storeIn(graph, 'noted', { about: ['hub'] });
  const query =
    'MATCH (n {vector_id: $id})-[r]-(connected) RETURN n.name AS name, type(r) AS type, connected LIMIT 10';
  const found = await rows(graph, query, { id: 'fn:src/hub.ts:hub' });
  expect(found).toHaveLength(10);
  expect(new Set(found.map(({ name }) => name))).toEqual(new Set(['hub']));
  expect(await rows(graph, query, { id: 'noted' })).toMatchObject([
    { name: 'noted', type: 'ABOUT', connected: { name: 'hub' } },
  ]);
});

test('all 35 relations answer by name, with their id, and are told from those of code by their ends (X-15)', async () => {
  const { graph } = await indexed({
    'src/a.ts': "import { b } from './b.js';\nexport const a = b;\n",
    'src/b.ts': 'export const b = 1;\n',
  });
  await storeIn(graph, 'one');
  await storeIn(graph, 'two');
  const names = Object.keys(MEMORY_RELATIONS);
  await relate(graph, ...names.map((name) => `one ${name} two`));
  for (const name of names)
    expect(
      await rows(
        graph,
        `MATCH (:Memory)-[r:${name}]->(b:Memory) RETURN type(r) AS type, r.id AS id, b.title AS to`,
      ),
    ).toEqual([{ type: name, id: `${name}:one:two`, to: 'two' }]);
  const ends = (label: string) =>
    rows(graph, `MATCH (a:${label})-[:DEPENDS_ON]->(b) RETURN a.id AS a, b.id AS b`);
  expect(await ends('File')).toEqual([{ a: 'file:src/a.ts', b: 'file:src/b.ts' }]);
  expect(await ends('Memory')).toEqual([{ a: 'one', b: 'two' }]);
});

test('what a memory said before is no Memory of its own', async () => {
  const { graph } = await indexed({});
  await storeIn(graph, 'a', { content: 'first' });
  await storeIn(graph, 'a', { content: 'second' });
  expect(await rows(graph, 'MATCH (m:Memory) RETURN labels(m) AS labels, m.content AS content')).toEqual([
    { labels: ['Memory'], content: 'second' },
  ]);
  expect(await rows(graph, 'MATCH (n) WHERE NOT n:Project AND NOT n:Directory RETURN count(n) AS n')).toEqual(
    [{ n: 1 }],
  );
});

test('contexts answer by their own names, and lists of texts contain what one of them contains', async () => {
  const { graph } = await indexed({});
  await storeIn(graph, 'a', {
    context: { files_involved: ['src/a.ts'], git_branch: 'main' },
    tags: ['time'],
  });
  await storeIn(graph, 'b', { context: { files_involved: ['src/b.ts'] } });
  const ids = async (where: string) =>
    (await rows(graph, `MATCH (m:Memory) WHERE ${where} RETURN m.id AS id`)).map(({ id }) => id);
  expect(await ids("'src/a.ts' IN m.files_involved")).toEqual(['a']);
  expect(await ids("m.files_involved CONTAINS 'src/a.ts'")).toEqual(['a']);
  expect(await ids("m.context_files_involved CONTAINS 'b.ts'")).toEqual(['b']);
  expect(await ids("m.tags CONTAINS 'time' AND m.git_branch = 'main'")).toEqual(['a']);
  expect(await ids("m.tags CONTAINS 'nowhere'")).toEqual([]);
});
