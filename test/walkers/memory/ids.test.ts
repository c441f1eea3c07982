import { expect, test } from 'vitest';
import { MemoryAsOf } from '../../../walkers/memory/memory-as-of.js';
import { MemoryDelete } from '../../../walkers/memory/memory-delete.js';
import { MemoryGet } from '../../../walkers/memory/memory-get.js';
import { MemoryStore } from '../../../walkers/memory/memory-store.js';
import { emptyGraph, storeIn } from './memories.js';

const said = { type: 'fix' as const, title: 'Title', content: 'What mended it.' };

test.each([
  'task:x',
  'error:abc',
  'file:src/later.ts',
  'fn:src/later.ts:run',
  'project:',
  'other@1',
  'two\nlines',
  'zero\u200bwidth',
  `ghp_${'a1'.repeat(18)}`,
])('no new memory takes an id that means something else, or does not show: %j', async (memory_id) => {
  const graph = await emptyGraph();
  await expect(graph.spawn(MemoryStore, null, { ...said, memory_id })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('memory_id'),
  });
});

test('the beginning of an id stands for it, from four characters on, where it is the only one', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'alpha-one');
  await storeIn(graph, 'alpha-two');
  const get = async (memory_id: string) =>
    (await graph.spawn(MemoryGet, null, { memory_id })).output.memory.id;
  expect(await get('alpha-t')).toBe('alpha-two');
  await expect(get('alpha')).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    message: "memory_id: 2 ids begin with 'alpha'",
    suggestion: expect.stringMatching(/^Did you mean 'alpha-one' or 'alpha-two'\? Give more of it\. /),
  });
  await storeIn(graph, 'beta');
  expect(await get('beta')).toBe('beta');
  await expect(get('bet')).rejects.toMatchObject({
    message: "memory_id: one id begins with 'bet'",
    suggestion: expect.stringMatching(/^Did you mean 'beta'\? Give more of it, at least 4 characters\./),
  });
});

test('an unknown id is answered with the tool that finds memories, a deleted one with what it was', async () => {
  const graph = await emptyGraph();
  await storeIn(graph, 'alpha');
  const get = (memory_id: string) => graph.spawn(MemoryGet, null, { memory_id });
  await expect(get('beta')).rejects.toMatchObject({
    suggestion: 'memory_search finds memories by words, tags and types.',
  });
  const { updated_at: time } = (await get('alpha')).output.memory;
  await graph.spawn(MemoryDelete, null, { memory_id: 'alpha' });
  await expect(get('alpha')).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    message: expect.stringMatching(/^memory_id: 'alpha' was deleted 20/u),
    suggestion: `memory_as_of with the time ${time} shows what it said.`,
  });
  const { results } = (await graph.spawn(MemoryAsOf, null, { memory_id: 'alpha', time })).output;
  expect(results).toMatchObject([{ content: 'alpha' }]);
});
