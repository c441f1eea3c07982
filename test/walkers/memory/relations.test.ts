import { expect, test } from 'vitest';
import { Memory, MemoryVersion } from '../../../schema/index.js';
import { MemoryDelete } from '../../../walkers/memory/memory-delete.js';
import { MemoryGet } from '../../../walkers/memory/memory-get.js';
import { MemoryLink } from '../../../walkers/memory/memory-link.js';
import { MemoryRelated } from '../../../walkers/memory/memory-related.js';
import { MemorySearch } from '../../../walkers/memory/memory-search.js';
import { MemoryUpdate } from '../../../walkers/memory/memory-update.js';
import { emptyGraph, graphWith, relate, storeIn } from './memories.js';

test('related memories are reached in both directions, each once, the strongest first relation first (S4-30)', async () => {
  const graph = await graphWith(['a', 'b', 'c', 'd', 'far']);
  await relate(
    graph,
    'a SOLVES b 0.9',
    'c CAUSES a 0.4',
    'b LEADS_TO d 1',
    'd LEADS_TO a 0.6',
    'd REQUIRES far',
  );
  const { results, total } = (await graph.spawn(MemoryRelated, null, { memory_id: 'a' })).output;
  expect(total).toBe(4);
  expect(
    results.map(({ id, relationship, strength, distance }) => [id, relationship, strength, distance]),
  ).toEqual([
    ['b', 'SOLVES', 0.9, 1],
    ['d', 'LEADS_TO', 0.6, 1],
    ['far', 'LEADS_TO', 0.6, 2],
    ['c', 'CAUSES', 0.4, 1],
  ]);
  expect(results.at(2)?.way).toEqual([
    { id: 'LEADS_TO:d:a', type: 'LEADS_TO', from: 'd', to: 'a', strength: 0.6, proposed: false },
    { id: 'REQUIRES:d:far', type: 'REQUIRES', from: 'd', to: 'far', strength: 0.5, proposed: false },
  ]);
});

test('only the relations that are named are followed, and no deeper than asked', async () => {
  const graph = await graphWith(['a', 'b', 'c']);
  await relate(graph, 'a SOLVES b', 'b SOLVES c', 'a CAUSES c');
  const ids = async (input: object) =>
    (await graph.spawn(MemoryRelated, null, { memory_id: 'a', ...input })).output.results.map(({ id }) => id);
  expect(await ids({ relationship_types: ['SOLVES'], max_depth: 1 })).toEqual(['b']);
  expect(await ids({ relationship_types: ['SOLVES'] })).toEqual(['b', 'c']);
});

test('twenty of many related memories are shown, the most important of equally strong ones, and the cut is said', async () => {
  const graph = await graphWith(['hub']);
  for (let at = 0; at < 30; at++) {
    await storeIn(graph, `m${at}`, { importance: at / 100 });
    await relate(graph, `hub RELATED_TO m${at}`);
  }
  const { body } = { body: (await graph.spawn(MemoryRelated, null, { memory_id: 'hub' })).output };
  const { length } = body.results;
  expect(length).toBeGreaterThan(10);
  expect(body.results.map(({ id }) => id)).toEqual(Array.from({ length }, (_, at) => `m${29 - at}`));
  const { cursor, cut } = (body as unknown as { state: { cursor: string; cut: string[] } }).state;
  expect([body.total, cut.join()]).toEqual([
    30,
    expect.stringContaining(`The first ${length} of 30 memories are shown`),
  ]);
  const rest = (await graph.spawn(MemoryRelated, null, { memory_id: 'hub', cursor })).output;
  expect(rest.results[0]?.id).toBe(`m${29 - length}`);
});

test('a relation said again is changed, and keeps its id and its time', async () => {
  const graph = await graphWith(['a', 'b']);
  const link = { from_memory_id: 'a', to_memory_id: 'b', relationship_type: 'SOLVES' as const };
  const first = (await graph.spawn(MemoryLink, null, { ...link, context: 'seen twice' })).output;
  const again = (await graph.spawn(MemoryLink, null, { ...link, strength: 1 })).output;
  expect(first).toMatchObject({ created: true, relationship_id: 'SOLVES:a:b' });
  expect(again).toEqual({ ...first, created: false });
  const { relationships } = (await graph.spawn(MemoryGet, null, { memory_id: 'b' })).output;
  expect(relationships).toMatchObject([
    {
      id: 'SOLVES:a:b',
      direction: 'in',
      strength: 1,
      confidence: 0.8,
      context: 'seen twice',
      memory: { id: 'a' },
    },
  ]);
});

test.each([
  [
    { to_memory_id: 'nothing' },
    { code: 'NODE_NOT_FOUND', message: "to_memory_id: there is no memory 'nothing'" },
  ],
  [{ to_memory_id: 'a' }, { code: 'INVALID_INPUT', message: "to_memory_id: 'a' is the same memory" }],
])('a relation to %j is refused (S4-25)', async (wrong, error) => {
  const graph = await graphWith(['a']);
  const link = { from_memory_id: 'a', relationship_type: 'SOLVES' as const, ...wrong };
  await expect(graph.spawn(MemoryLink, null, link)).rejects.toMatchObject(error);
});

test('what is deleted takes its relations and its words along; only its versions stay', async () => {
  const graph = await graphWith(['alpha', 'beta']);
  await relate(graph, 'alpha SOLVES beta');
  await graph.spawn(MemoryUpdate, null, { memory_id: 'alpha', content: 'something else' });
  const { output } = await graph.spawn(MemoryDelete, null, { memory_id: 'alpha' });
  expect(output).toEqual({ memory_id: 'alpha', deleted: true, relationships: 1 });
  const left = await graph.read(async (tx) => [
    ...(await tx.findIds(Memory)),
    ...(await tx.findIds(MemoryVersion)),
  ]);
  expect(left).toEqual(['beta', 'alpha@1', 'alpha@2']);
  expect((await graph.spawn(MemoryGet, null, { memory_id: 'beta' })).output.relationships).toEqual([]);
  expect((await graph.spawn(MemorySearch, null, { query: 'alpha' })).output.results).toEqual([]);
});

test('an update says only what is new, and its new words are found', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'alpha', { tags: ['one'], content: 'zebra' });
  const update = { memory_id: 'alpha', content: 'giraffe', effectiveness: 0.7 };
  expect((await graph.spawn(MemoryUpdate, null, update)).output).toMatchObject({ updated: true, version: 2 });
  expect((await graph.spawn(MemoryUpdate, null, update)).output).toMatchObject({
    updated: false,
    version: 2,
  });
  const { memory } = (await graph.spawn(MemoryGet, null, { memory_id: 'alpha' })).output;
  expect(memory).toMatchObject({ title: 'alpha', content: 'giraffe', tags: ['one'], effectiveness: 0.7 });
  const found = async (query: string) =>
    (await graph.spawn(MemorySearch, null, { query })).output.results.length;
  expect([await found('zebra'), await found('giraffes')]).toEqual([0, 1]);
  await expect(graph.spawn(MemoryUpdate, null, { memory_id: 'alpha' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});

test('two memories do not replace each other, unless it did not hold that one was replaced', async () => {
  const graph = await graphWith(['one', 'two', 'three']);
  await relate(graph, 'two REPLACES one', 'three REPLACES two', 'two REPLACES one 0.9');
  await expect(relate(graph, 'one REPLACES three')).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining("'three' replaces 'one' already"),
    suggestion: expect.stringContaining('REPLACES:two:one'),
  });
  await graph.spawn('memory_outcome', null, { relationship_id: 'REPLACES:two:one', success: false });
  await relate(graph, 'one REPLACES three');
});
