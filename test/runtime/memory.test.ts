import { expect, test } from 'vitest';
import { openGraph } from '../../host/index.js';
import { defineWalker, type Slot } from '../../runtime/index.js';

test('what walkers keep under a slot lives as long as the graph is open, one per graph', async () => {
  const freed: number[] = [];
  let made = 0;
  const slot: Slot<{ id: number; runs: number }> = {
    name: 'counter',
    make: () => ({ id: ++made, runs: 0 }),
    free: ({ id }) => freed.push(id),
  };
  const Count = defineWalker('count_runs', {
    run: (_here, context) => {
      const kept = context.cached(slot);
      kept.runs++;
      return `${kept.id}:${kept.runs}`;
    },
  });
  const [one, other] = [await openGraph(':memory:'), await openGraph(':memory:')];
  const seen = [];
  for (const graph of [one, one, other, one]) seen.push((await graph.spawn(Count)).output);
  expect(seen).toEqual(['1:1', '1:2', '2:1', '1:3']);
  await one.close();
  expect(freed).toEqual([1]);
  await other.close();
  expect(freed).toEqual([1, 2]);
});
