import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { toCodewalkError } from '../../../schema/index.js';
import { MemoryGet } from '../../../walkers/memory/memory-get.js';
import { indexed } from '../project.js';
import { emptyGraph, relate, storeIn } from './memories.js';

const BIG = 'x'.repeat(10 * 1024 * 1024);
const said = { type: 'fix', title: 't', content: 'c' };

test.each([
  ['memory_search', { query: BIG }],
  ['memory_search', { terms: [BIG] }],
  ['memory_search', { memory_types: [BIG] }],
  ['memory_search', { tags: Array(200_000).fill('a') }],
  ['memory_recall', { query: BIG }],
  ['memory_store', { ...said, content: BIG }],
  ['memory_store', { ...said, title: BIG }],
  ['memory_store', { ...said, tags: [BIG] }],
  ['memory_store', { ...said, context: { user_id: BIG } }],
  ['memory_store', { ...said, about: [BIG] }],
  ['memory_get', { memory_id: BIG }],
  ['memory_as_of', { time: BIG, query: 'x' }],
])('%s refuses 10 MB in a few words (%#)', async (walker, input) => {
  const graph = await emptyGraph();
  const error = await graph.spawn(walker, null, input).then(
    () => null,
    (thrown) => toCodewalkError(thrown),
  );
  expect(error).toMatchObject({ code: 'INVALID_INPUT' });
  expect(error?.message.length).toBeLessThan(500);
  expect(JSON.stringify(error?.toBody()).length).toBeLessThan(8000);
});

test.each(['?!… ---', '🙂', 'שלום עולם', '\u202eevil', 'a\u0000b'])(
  'a memory that says %j is stored, shown and found by its tag',
  async (content) => {
    const graph = await emptyGraph();
    await storeIn(graph, 'odd', { content, tags: ['odd'] });
    const { output } = await graph.spawn('memory_search', null, { tags: ['ODD'] });
    expect(output).toMatchObject({ results: [{ id: 'odd' }] });
    const again = await graph.spawn('memory_search', null, { query: content });
    expect(again.output).toHaveProperty('results');
  },
);

test('a memory of a file that is gone is shown, and says so', async () => {
  const { root, graph } = await indexed({ 'src/a.ts': 'export const a = 1;\n' });
  await storeIn(graph, 'of a', { about: ['src/a.ts'] });
  rmSync(join(root, 'src/a.ts'));
  const { output } = await graph.spawn(MemoryGet, null, { memory_id: 'of a' });
  expect(output).toMatchObject({ freshness: 'orphaned', about: [{ state: 'orphaned' }] });
});

test('what has a long name can be spoken of: a symbol in deep folders, a relation of long ids', async () => {
  const path = `${'deep/'.repeat(45)}a.ts`;
  const { graph } = await indexed({ [path]: 'export function run() {}\n' });
  const ids = ['a', 'b'].map((letter) => letter.repeat(150));
  for (const id of ids) await storeIn(graph, id, { about: [`fn:${path}:run`] });
  await relate(graph, `${ids[0]} SOLVES ${ids[1]}`);
  const relationship_id = `SOLVES:${ids.join(':')}`;
  const { output } = await graph.spawn('memory_outcome', null, { relationship_id, success: true });
  expect(output).toMatchObject({ evidence_count: 1 });
});
