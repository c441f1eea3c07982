import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import { MemoryContextualSearch } from '../../../walkers/memory/memory-contextual-search.js';
import { MemoryPath } from '../../../walkers/memory/memory-path.js';
import { MemoryStats } from '../../../walkers/memory/memory-stats.js';
import { emptyGraph, relate, storeIn } from './memories.js';

async function related() {
  const graph = await emptyGraph();
  for (const title of ['start', 'near', 'middle', 'far', 'alone'])
    await storeIn(graph, title, { content: `What ${title} says of the clock.` });
  await relate(
    graph,
    'start CAUSES near 0.4',
    'middle SOLVES near 0.9',
    'middle LEADS_TO far',
    'far BLOCKS start 0.1',
  );
  return graph;
}

const way = async (graph: OpenGraph, from: string, to: string, max_depth = 3) =>
  (await graph.spawn(MemoryPath, null, { from_memory_id: from, to_memory_id: to, max_depth })).output;

test('the way from one memory to another is a shortest one, with the true direction of each relation', async () => {
  const graph = await related();
  const { found, length, memories, relationships } = await way(graph, 'start', 'middle');
  expect({ found, length }).toEqual({ found: true, length: 2 });
  expect(memories.map(({ id }) => id)).toEqual(['start', 'near', 'middle']);
  expect(relationships.map(({ id, direction }) => [id, direction])).toEqual([
    ['CAUSES:start:near', 'out'],
    ['SOLVES:middle:near', 'in'],
  ]);
});

test('where no way is short enough none is told, and circles end', async () => {
  const graph = await related();
  const cutOf = async (to: string, max_depth: number) =>
    ((await way(graph, 'start', to, max_depth)) as unknown as { state: { cut: string[] } }).state.cut;
  expect(await cutOf('middle', 1)).toEqual([
    'There is none of at most 1 relation: max_depth up to 5 looks further.',
  ]);
  expect(await cutOf('alone', 3)).toEqual([]);
  expect(await way(graph, 'start', 'middle', 1)).toMatchObject({
    found: false,
    length: null,
    relationships: [],
  });
  expect(await way(graph, 'start', 'alone', 5)).toMatchObject({ found: false, reached: 3 });
  expect(await way(graph, 'start', 'start')).toMatchObject({
    found: true,
    length: 0,
    memories: [{ id: 'start' }],
  });
  await expect(way(graph, 'start', 'nobody')).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    message: expect.stringContaining('to_memory_id'),
  });
});

test('a search around a memory finds what is related to it, never itself and nothing beyond', async () => {
  const graph = await related();
  const search = async (query: string, more: object = {}) =>
    (await graph.spawn(MemoryContextualSearch, null, { memory_id: 'near', query, ...more })).output;
  const { results, related: all } = await search('clock');
  expect(all).toBe(3);
  expect(results.map(({ id }) => id).sort()).toEqual(['far', 'middle', 'start']);
  expect(results.find(({ id }) => id === 'middle')).toMatchObject({
    distance: 1,
    via: [{ type: 'SOLVES', direction: 'in', strength: 0.9 }],
  });
  expect((await search('clock', { max_depth: 1 })).results.map(({ id }) => id).sort()).toEqual([
    'middle',
    'start',
  ]);
  expect((await search('alone', { max_depth: 5 })).results).toEqual([]);
});

test('what is remembered is told in numbers', async () => {
  const graph = await related();
  await storeIn(graph, 'tagged', { type: 'fix', tags: ['time'], importance: 1 });
  expect((await graph.spawn(MemoryStats, null, {})).output).toMatchObject({
    memories: 6,
    by_type: { fix: 1, general: 5 },
    relationships: 4,
    by_relation: { CAUSES: 1, SOLVES: 1, LEADS_TO: 1, BLOCKS: 1 },
    by_group: { causal: 2, solution: 1, workflow: 1 },
    earlier_versions: 0,
    mean_importance: 0.5833,
    mean_effectiveness: null,
    never_read: 6,
    tags: [{ tag: 'time', count: 1 }],
  });
  expect((await (await emptyGraph()).spawn(MemoryStats, null, {})).output).toMatchObject({
    memories: 0,
    by_type: {},
    mean_importance: null,
    first_stored: null,
  });
});
