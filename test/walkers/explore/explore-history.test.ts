import { expect, test } from 'vitest';
import type { OpenGraph } from '../../../index.js';
import type { ExploreHistoryOutput } from '../../../walkers/index.js';
import { MemoryStore } from '../../../walkers/memory/memory-store.js';
import { Errors } from '../../../walkers/trace/errors.js';
import { log } from '../project.js';
import { asked } from '../query/shops.js';
import { worked } from '../worked.js';

const history = async (graph: OpenGraph, id: string) =>
  (await asked<ExploreHistoryOutput>(graph, 'explore_history', { id })).body;

/** An agent's edit, with the symbol that it changed. */
async function edited(graph: OpenGraph, prompt: string, lines: [number, number][]) {
  const { task_id } = await log(graph, 'task_start', { user_prompt: prompt, client: 'claude' });
  const at = { task_id };
  const files_touched = ['src/cart.ts'];
  const params_json = { file_path: 'src/cart.ts', old_string: 'a', new_string: 'b' };
  const content =
    'export class Cart {\n  total(price: number): number {\n    return price;\n  }\n}\nfunction other() {}\n';
  await log(graph, 'tool_start', { tool_name: 'edit', params_json, files_touched }, at);
  await log(graph, 'tool_end', { tool_name: 'edit', success: true, files_touched, lines, content }, at);
  return String(task_id);
}

test('a symbol has the failures of tasks that changed it as the list of errors has them, with what fixed them', async () => {
  const { graph, mended } = await worked();
  const { failures, failures_total, tasks } = await history(graph, 'tax');
  const { output } = await graph.spawn(Errors, null, { type: 'test_failure' });
  const asListed = output.errors.map(({ tasks, resolved_by: fixed_by, ...error }) => {
    return { ...error, task_ids: tasks.map(({ task_id }) => task_id), fixed_by, of_file: true };
  });
  expect(failures).toEqual(asListed);
  expect(failures_total).toBe(1);
  expect(failures[0]).toMatchObject({
    count: 2,
    fixed_by: [{ task_id: mended, changes: [{ file: 'src/money.ts', now: ['return price * 0.2;'] }] }],
  });
  // The edit says of no symbol that it changed it.
  expect(tasks).toMatchObject([
    {
      task_id: mended,
      status: 'success',
      client: 'qwen',
      prompt: 'The total of a cart is wrong',
      how: 'changed',
      of_file: true,
    },
  ]);
  const ofFile = await history(graph, 'src/money.ts');
  expect(ofFile.tasks).toMatchObject([{ task_id: mended, how: 'changed' }]);
  expect([ofFile.tasks[0]?.of_file, ofFile.failures[0]?.of_file]).toEqual([undefined, undefined]);
});

test('tasks that changed the symbol come before those that came to its file, each once', async () => {
  const { graph, asked: read } = await worked();
  expect((await history(graph, 'checkout')).tasks).toMatchObject([
    { task_id: read, how: 'read', of_file: true },
  ]);
  expect((await history(graph, 'checkout')).failures).toEqual([]);
  const own = await edited(graph, 'Change the total', [[3, 3]]);
  const other = await edited(graph, 'Change something else', [[6, 6]]);
  const { tasks, tasks_total } = await history(graph, 'Cart.total');
  expect(tasks.map(({ task_id, how, of_file }) => [task_id, how, of_file])).toEqual([
    [own, 'changed', undefined],
    [other, 'changed', true],
  ]);
  expect(tasks_total).toBe(2);
  // What a class holds is its own.
  expect((await history(graph, 'Cart')).tasks[0]).toMatchObject({ task_id: own });
  expect((await history(graph, 'src/cart.ts')).tasks).toHaveLength(2);
});

test('memories about the symbol, what is in it and its file are there, with how they stand', async () => {
  const { graph } = await worked();
  const store = async (title: string, ...about: string[]) =>
    (await graph.spawn(MemoryStore, null, { type: 'solution', title, content: `${title}: why`, about }))
      .output.memory_id;
  const own = await store('The tax is added once', 'm:src/cart.ts:Cart.total');
  const file = await store('Carts know no currency', 'src/cart.ts');
  await store('Something else', 'src/checkout.ts');
  const { memories, memories_total } = await history(graph, 'Cart');
  expect(memories.map(({ id }) => id).sort()).toEqual([own, file].sort());
  expect(memories_total).toBe(2);
  expect(memories.find(({ id }) => id === own)).toMatchObject({
    ...{ type: 'solution', title: 'The tax is added once', freshness: 'fresh' },
    ...{ says: 'The tax is added once: why', about: ['m:src/cart.ts:Cart.total'] },
  });
  expect(memories.map(({ id, of_file }) => [id, of_file ?? false]).sort()).toEqual(
    [
      [own, false],
      [file, true],
    ].sort(),
  );
  expect((await history(graph, 'tax')).memories).toEqual([]);
});

test('what is not in the graph has no history', async () => {
  const { graph } = await worked();
  await expect(history(graph, 'taks')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
});

test('of very many tasks the newest are looked at, and those that changed the symbol; all are counted', async () => {
  const { graph } = await worked();
  const own = await edited(graph, 'Change the total', [[3, 3]]);
  let last = '';
  for (let at = 0; at < 305; at++) {
    const { task_id } = await log(graph, 'task_start', { user_prompt: `Read ${at}`, client: 'claude' });
    const params_json = { file_path: 'src/cart.ts' };
    await log(
      graph,
      'tool_start',
      { tool_name: 'read', params_json, files_touched: ['src/cart.ts'] },
      { task_id },
    );
    last = String(task_id);
  }
  const before = (await asked<ExploreHistoryOutput>(graph, 'explore_history', { id: 'Cart.total' })).body;
  expect(before.tasks.slice(0, 2).map(({ task_id }) => task_id)).toEqual([own, last]);
  expect(before.tasks).toHaveLength(100);
  // The change, and those of the loop.
  expect(before.tasks_total).toBe(306);
  expect(before.state.cut).toContainEqual(expect.stringContaining('newest 300 of 306 tasks'));
  const later = await edited(graph, 'Change the total again', [[3, 3]]);
  expect((await history(graph, 'Cart.total')).tasks[0]?.task_id).toBe(later);
});
