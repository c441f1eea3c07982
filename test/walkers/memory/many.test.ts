import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import { type MEMORY_TYPES, Memory } from '../../../schema/index.js';
import { MemoryActivity } from '../../../walkers/memory/memory-activity.js';
import { MemorySearch } from '../../../walkers/memory/memory-search.js';
import { open, scratch, write } from '../project.js';

const MANY = 30_000;
const TYPES: readonly (typeof MEMORY_TYPES)[number][] = ['fix', 'problem', 'general', 'task', 'solution'];
const DAY = 24 * 60 * 60 * 1000;

/** As many memories, a few of which are special; without their words, which filters do not look at. */
async function manyMemories(): Promise<OpenGraph> {
  // On disk: in memory so many would take longer.
  const graph = await open(write({}), scratch());
  const now = Date.now();
  for (let from = 0; from < MANY; from += 10_000)
    await graph.write((tx) =>
      tx.putAll(
        Array.from({ length: 10_000 }, (_, step) => {
          const at = from + step;
          const time = new Date(now - DAY * 400 + at * 1000).toISOString();
          const rare = at % 10_000 === 7;
          return Memory(
            {
              type: rare ? 'command' : (TYPES[at % TYPES.length] ?? 'fix'),
              title: `memory ${at}`,
              content: 'x',
              tags: rare ? ['rare'] : ['usual'],
              importance: (at % 200) / 200,
              confidence: 0.8,
              context_project_path: rare ? '/rare' : '/usual',
              created_at: at === 5 ? new Date(now).toISOString() : time,
              updated_at: time,
            },
            { id: `m${String(at).padStart(6, '0')}` },
          );
        }),
      ),
    );
  return graph;
}

test('filters at 30,000 memories read what they let through, never all of it (S4-29)', {
  timeout: 120_000,
}, async () => {
  const graph = await manyMemories();
  const asked = async (input: object) => {
    const { output, figures } = await graph.spawn(MemorySearch, null, { limit: 5, ...input });
    return { ids: output.results.map(({ id }) => id), roundTrips: figures.roundTrips };
  };
  const filters = [
    [{}, 'm029999'],
    [{ tags: ['rare'] }, 'm020007'],
    [{ memory_types: ['command'] }, 'm020007'],
    [{ project_path: '/rare' }, 'm020007'],
    [{ min_importance: 0.99 }, 'm029999'],
    [{ memory_types: ['fix'] }, 'm029995'],
    [{ memory_types: ['fix'], tags: ['usual'], min_importance: 0.5 }, 'm029995'],
    [{ memory_types: ['fix'], tags: ['rare'] }, undefined],
    [{ memory_types: ['command'], tags: ['usual'] }, undefined],
    [{ relationship_filter: ['SOLVES'] }, undefined],
    [{ relationship_filter: ['SOLVES'], memory_types: ['fix'] }, undefined],
  ] as const;
  for (const [input, first] of filters) {
    const { ids, roundTrips } = await asked(input);
    expect(ids.at(0), JSON.stringify(input)).toBe(first);
    // A page of an index or a batch of nodes is one; all the memories would be thirty pages of their index alone.
    expect(roundTrips, JSON.stringify(input)).toBeLessThan(25);
  }
  const { output, figures } = await graph.spawn(MemoryActivity, null, {});
  expect(output.recent.map(({ id }) => id)).toEqual(['m000005']);
  expect(figures.roundTrips).toBeLessThan(25);
});
