import { expect, test } from 'vitest';
import { Memory, MemoryAbout, MemoryVersion } from '../../../schema/index.js';
import { MemoryGet } from '../../../walkers/memory/memory-get.js';
import { MemorySearch } from '../../../walkers/memory/memory-search.js';
import { MemoryStore } from '../../../walkers/memory/memory-store.js';
import { indexed, open, write } from '../project.js';

const FIX = {
  type: 'fix' as const,
  title: ' Sessions end ',
  content: 'Compare in UTC.',
  tags: [' Time ', 'time'],
};

test('what is stored is found by its words and shown whole', async () => {
  const graph = await open(write({}));
  const { memory_id, created, version } = (await graph.spawn(MemoryStore, null, FIX)).output;
  expect({ created, version }).toEqual({ created: true, version: 1 });
  const { memory, relationships } = (await graph.spawn(MemoryGet, null, { memory_id })).output;
  expect(memory).toMatchObject({
    id: memory_id,
    type: 'fix',
    title: 'Sessions end',
    tags: ['time'],
    importance: 0.5,
    confidence: 0.8,
    effectiveness: null,
  });
  expect(relationships).toEqual([]);
  const found = (await graph.spawn(MemorySearch, null, { query: 'a session that ended' })).output;
  expect(found.results.map(({ id }) => id)).toEqual([memory_id]);
});

test('a store under the id of a memory says it anew, and what it said before is kept', async () => {
  const graph = await open(write({}));
  const { memory_id } = (await graph.spawn(MemoryStore, null, FIX)).output;
  const again = { ...FIX, memory_id, content: 'Compare in local time.', importance: 0.9 };
  expect((await graph.spawn(MemoryStore, null, again)).output).toMatchObject({ created: false, version: 2 });
  expect((await graph.spawn(MemoryStore, null, again)).output).toMatchObject({ created: false, version: 2 });
  const [memory] = await graph.read((tx) => tx.find(Memory));
  const [before] = await graph.read((tx) => tx.find(MemoryVersion));
  expect(memory).toMatchObject({ id: memory_id, importance: 0.9, version: 2 });
  expect(before).toMatchObject({
    id: `${memory_id}@1`,
    content: 'Compare in UTC.',
    importance: 0.5,
    said_at: memory?.created_at,
    replaced_at: memory?.updated_at,
  });
});

test('what it is about is bound with what it was: a file on disk, a symbol by its name', async () => {
  const { graph } = await indexed({ 'src/auth.ts': 'export function login() {}\n', 'notes.txt': 'x' });
  const { about } = (await graph.spawn(MemoryStore, null, { ...FIX, about: ['src/auth.ts', 'login'] }))
    .output;
  expect(about).toEqual(['file:src/auth.ts', 'fn:src/auth.ts:login']);
  const edges = await graph.read(async (tx) =>
    tx
      .q((await tx.find(Memory)).map(({ id }) => id))
      .out(MemoryAbout)
      .edges(),
  );
  expect(edges.map(({ content_hash }) => content_hash)).toEqual([
    expect.stringMatching(/^[0-9a-f]{64}$/),
    expect.stringMatching(/^[0-9a-f]{64}$/),
  ]);
  await expect(graph.spawn(MemoryStore, null, { ...FIX, about: ['src/auht.ts'] })).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    suggestion: expect.stringContaining('src/auth.ts'),
  });
});

test('a decision is a type of its own, and pattern means code_pattern', async () => {
  const graph = await open(write({}));
  await graph.spawn(MemoryStore, null, { ...FIX, type: 'decision' });
  await graph.spawn(MemoryStore, null, { ...FIX, type: 'pattern' });
  const types = (await graph.read((tx) => tx.find(Memory))).map(({ type, tags }) => [type, ...tags]);
  expect(types).toEqual([
    ['decision', 'time'],
    ['code_pattern', 'time'],
  ]);
});
