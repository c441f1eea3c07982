import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  filterOf,
  firstMemories,
  type MemoryFilter,
  type MemoryQuery,
  searchMemories,
  versionsThen,
  writeMemoryText,
} from '../../../graphs/memory/index.js';
import { type OpenGraph, openGraph } from '../../../index.js';
import { defineWalker } from '../../../runtime/index.js';
import { Memory, MemoryVersion, memoryVersionId } from '../../../schema/index.js';

const MANY = 12_000;
const LATER = '2026-06-01T00:00:00.000Z';

/** Memories that all have a word in common; each hundredth another one. Every one was something else before 2026. */
const Fill = defineWalker('fill', {
  access: 'write',
  input: { from: z.number(), count: z.number() },
  output: z.object({}),
  start: () => null,
  on: () => [],
  finish: async ({ state: { from, count }, context }) => {
    const drafts = Array.from({ length: count }, (_, step) => {
      const at = from + step;
      const said = {
        type: at % 2 === 0 ? ('fix' as const) : ('problem' as const),
        title: `common ${at % 100 === 0 ? 'seldom' : 'usual'}`,
        content: 'x',
        tags: [at % 2 === 0 ? 'even' : 'odd'],
        importance: (at % 100) / 100,
        context_project_path: at % 3 === 0 ? '/a' : '/b',
      };
      const id = `m${String(at).padStart(5, '0')}`;
      const span = { memory_id: id, version: 1, said_at: '2025-01-01', replaced_at: '2026-01-01' };
      return {
        memory: Memory({ ...said, created_at: LATER, updated_at: LATER, version: 2 }, { id }),
        version: MemoryVersion({ ...said, ...span }, { id: memoryVersionId(id, 1) }),
      };
    });
    await context.createAll(drafts.map(({ version }) => version));
    await writeMemoryText(context, await context.createAll(drafts.map(({ memory }) => memory)));
    return {};
  },
});

const Ask = z.object({
  words: z.custom<Pick<MemoryQuery, 'things' | 'tolerance' | 'mode'>>().optional(),
  filter: z.custom<Partial<MemoryFilter>>().default({}),
  time: z.string().optional(),
});

/** What is found, and how many nodes were read for it. */
const Counted = defineWalker('counted', {
  input: { ask: Ask },
  output: z.object({ ids: z.array(z.string()), read: z.number(), note: z.string().nullable() }),
  start: () => null,
  on: () => [],
  finish: async ({ state: { ask }, context }) => {
    let read = 0;
    const nodesOf: typeof context.nodesOf = (type, ids) => {
      read += ids.length;
      return context.nodesOf(type, ids);
    };
    const look: typeof context = Object.create(context, { nodesOf: { value: nodesOf } });
    const filter = { ...(await filterOf(context)), ...ask.filter };
    if (ask.time !== undefined) {
      const { rows, isCut } = await versionsThen(look, ask.time, 'common', 5);
      return { ids: rows.map(({ memory_id }) => memory_id), read, note: isCut ? 'cut' : null };
    }
    if (!ask.words) {
      const { memories, notes } = await firstMemories(look, filter, 5);
      return { ids: memories.map(({ id }) => id), read, note: notes[0] ?? null };
    }
    const { hits, notes } = await searchMemories(look, { ...ask.words, filter, most: 5 });
    return { ids: hits.map(({ memory }) => memory.id), read, note: notes[0] ?? null };
  },
});

let graph: OpenGraph;
beforeAll(async () => {
  graph = await openGraph(':memory:');
  for (let from = 0; from < MANY; from += 4000) await graph.spawn(Fill, null, { from, count: 4000 });
  return () => graph.close();
});

const counted = async (ask: z.input<typeof Ask>) => (await graph.spawn(Counted, null, { ask })).output;
const words = (text: string, mode: 'any' | 'all' = 'any', tolerance: 'strict' | 'normal' = 'normal') => {
  return { things: [text], mode, tolerance };
};
const fix = { types: ['fix' as const] };

test.each([
  ['a type', { words: words('common'), filter: fix }, 5],
  [
    'a type and a tag that exclude each other',
    { words: words('common'), filter: { ...fix, tags: ['odd'] } },
    0,
  ],
  [
    'three wide filters',
    { words: words('common'), filter: { ...fix, tags: ['even'], projects: ['/a'], minImportance: 0.5 } },
    5,
  ],
  ['all of two words', { words: words('common seldom', 'all'), filter: {} }, 5],
  ['all words, of which one is nowhere', { words: words('common nowhere', 'all'), filter: {} }, 0],
  ['a relation that there is not', { words: words('common'), filter: { relations: ['SOLVES'] } }, 0],
  ['a relation without words', { filter: { relations: ['SOLVES'] } }, 0],
])('words within %s read what fits, never all that have the words', async (_, ask, found) => {
  const { ids, read, note } = await counted(ask);
  expect(ids).toHaveLength(found);
  expect(note).toBeNull();
  expect(read).toBeLessThan(4000);
});

test('what is typed as it stands is looked for in the first hits, and that is said', async () => {
  const ask = { words: words('common nowhere', 'any', 'strict'), filter: {} };
  const { ids, note, read } = await counted(ask);
  expect({ ids, note }).toEqual({ ids: [], note: expect.stringContaining('10000 memories') });
  expect(read).toBeLessThan(25_000);
});

test('what fitted words at a time reads the best hits, and so many of what was replaced since', async () => {
  const now = await counted({ time: '2026-07-01T00:00:00.000Z' });
  expect(now.ids).toHaveLength(5);
  expect(now.read).toBeLessThan(1000);
  const before = await counted({ time: '2025-06-01T00:00:00.000Z' });
  expect(before.ids).toHaveLength(5);
  expect(before.note).toBe('cut');
  expect(before.read).toBeLessThan(15_000);
});
