import { expect, test } from 'vitest';
import { Memory, MemoryVersion } from '../../../schema/index.js';
import { MemoryAsOf } from '../../../walkers/memory/memory-as-of.js';
import { MemoryHistory } from '../../../walkers/memory/memory-history.js';
import { MemoryOutcome } from '../../../walkers/memory/memory-outcome.js';
import { emptyGraph, graphWith, relate, storeIn } from './memories.js';

const DAYS = ['2026-05-01T12:00:00.000Z', '2026-05-02T12:00:00.000Z', '2026-05-03T12:00:00.000Z'] as const;

/** A memory that said something else on each of three days. */
async function changing() {
  const graph = await emptyGraph();
  for (const content of ['Count in seconds.', 'Count in minutes.', 'Count in hours.'])
    await storeIn(graph, 'unit', { content });
  await graph.write(async (tx) => {
    const [memory] = await tx.nodesOf(Memory, ['unit']);
    if (memory) tx.set<typeof Memory>(memory, { created_at: DAYS[0], updated_at: DAYS[2] });
    for (const [at, version] of (await tx.find(MemoryVersion)).entries()) {
      const times = { said_at: DAYS[at] ?? '', replaced_at: DAYS[at + 1] ?? '' };
      tx.set<typeof MemoryVersion>(version, times);
    }
  });
  return graph;
}

test('what a memory said before is told with what changed', async () => {
  const graph = await changing();
  const { versions } = (await graph.spawn(MemoryHistory, null, { memory_id: 'unit' })).output;
  expect(versions.map(({ version, content, changed }) => [version, content, changed])).toEqual([
    [3, 'Count in hours.', ['content']],
    [2, 'Count in minutes.', ['content']],
    [1, 'Count in seconds.', []],
  ]);
  const spans = versions.map(({ said_at, replaced_at }) => [said_at, replaced_at]);
  expect(spans).toEqual([[DAYS[2], null], DAYS.slice(1), DAYS.slice(0, 2)]);
});

test('a memory is asked for as of a time, by its id and by words that it said then', async () => {
  const graph = await changing();
  const asOf = async (input: { time: string | number; memory_id?: string; query?: string }) =>
    (await graph.spawn(MemoryAsOf, null, input)).output.results.map(({ content }) => content);
  expect(await asOf({ time: '2026-05-02T13:00:00Z', memory_id: 'unit' })).toEqual(['Count in minutes.']);
  expect(await asOf({ time: Date.parse(DAYS[0]), memory_id: 'unit' })).toEqual(['Count in seconds.']);
  expect(await asOf({ time: '2026-05-01T13:00:00Z', query: 'seconds' })).toEqual(['Count in seconds.']);
  expect(await asOf({ time: '2026-05-01T13:00:00Z', query: 'hours' })).toEqual([]);
  expect(await asOf({ time: '2026-06-01', query: 'hours' })).toEqual(['Count in hours.']);
  await expect(asOf({ time: '2026-04-01', memory_id: 'unit' })).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    suggestion: expect.stringContaining('2026-05-01T12:00:00'),
  });
  await expect(asOf({ time: 'yesterday', memory_id: 'unit' })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
  await expect(asOf({ time: '2026-06-01' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('as of a time a memory says how effective it was then, or nothing where that is not known', async () => {
  const graph = await changing();
  const then = async (time: string) =>
    (await graph.spawn(MemoryAsOf, null, { time, memory_id: 'unit' })).output.results[0];
  expect(await then('2026-06-01')).toMatchObject({ effectiveness: null });
  await graph.spawn(MemoryOutcome, null, { memory_id: 'unit', success: true });
  expect(await then('2026-06-01')).not.toHaveProperty('effectiveness');
  expect(await then('2026-05-02T13:00:00Z')).toMatchObject({ effectiveness: null });
  expect(await then('2999-01-01')).toMatchObject({ effectiveness: 0.666667 });
});

test('outcomes make a mean that begins at one half, and is believed the more the more there are', async () => {
  const graph = await graphWith(['fix']);
  const tell = async (success: boolean, evidence?: string) =>
    (await graph.spawn(MemoryOutcome, null, { memory_id: 'fix', success, ...(evidence ? { evidence } : {}) }))
      .output;
  expect(await tell(true, 'password=hunter22secret was gone')).toMatchObject({
    evidence_count: 1,
    validation_count: 1,
    counter_evidence_count: 0,
    effectiveness: 0.666667,
    success_rate: null,
  });
  expect(await tell(true)).toMatchObject({ effectiveness: 0.75 });
  expect(await tell(false)).toMatchObject({
    evidence_count: 3,
    counter_evidence_count: 1,
    effectiveness: 0.6,
  });
  const [memory] = await graph.read((tx) => tx.nodes(['fix']));
  expect(memory).toMatchObject({
    version: 1,
    evidence: [expect.stringMatching(/held: password=.*masked.* was gone/)],
  });
});

test('an outcome of a relation changes that one alone, whatever its id is like', async () => {
  const graph = await graphWith(['a:b', 'c']);
  await relate(graph, 'a:b SOLVES c', 'c CAUSES a:b');
  const told = await graph.spawn(MemoryOutcome, null, {
    relationship_id: 'SOLVES:a:b:c',
    success: false,
    evidence: 'It came back.',
  });
  expect(told.output).toMatchObject({
    success_rate: 0.333333,
    counter_evidence_count: 1,
    effectiveness: null,
  });
  const edges = await graph.read(async (tx) => tx.q('c').any().edges());
  expect(edges.map(({ archetype, ...edge }) => [archetype.name, edge.evidence_count, edge.context])).toEqual([
    ['mem.SOLVES', 1, expect.stringContaining('did not hold: It came back.')],
    ['mem.CAUSES', 0, null],
  ]);
  const refused = [
    { relationship_id: 'SOLVES:c:a:b' },
    { relationship_id: 'nothing' },
    {},
    { memory_id: 'c', relationship_id: 'x' },
  ];
  for (const input of refused)
    await expect(graph.spawn(MemoryOutcome, null, { ...input, success: true })).rejects.toMatchObject({
      code: expect.stringMatching(/NODE_NOT_FOUND|INVALID_INPUT/),
    });
});
