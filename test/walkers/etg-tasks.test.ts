import { expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import type { EventKind } from '../../schema/index.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { Tasks } from '../../walkers/trace/tasks.js';
import { open } from './project.js';

/** A graph with three tasks, the last one with two steps. */
async function worked(): Promise<{ graph: OpenGraph; last: string }> {
  const graph = await open(':memory:');
  let second = 0;
  const log = async (kind: EventKind, payload: Record<string, unknown>, task_id?: string) => {
    const ts = Date.UTC(2026, 0, 1, 0, 0, second++);
    return (await graph.spawn(EtgLogEvent, null, { kind, payload, ts, task_id })).output.task_id;
  };
  const first = await log('task_start', { user_prompt: 'first' });
  await log('task_end', { status: 'failed' }, first);
  await log('task_start', { user_prompt: 'second' });
  const last = await log('task_start', { user_prompt: '\u001b[31mthird\u200b\nwith more' });
  await log('step', { order: 2, role: 'testing' }, last);
  await log('step', { order: 1, role: 'editing', llm_summary: 'made it | safe' }, last);
  await log(
    'tool_end',
    { tool_name: 'edit', success: false, stderr: 'x\nno such file', files_touched: ['a.ts'] },
    last,
  );
  await log('error', { error_type: 'tool_error', message: 'no such file' }, last);
  return { graph, last };
}

test('tasks are listed, the newest first, with what came of them', async () => {
  const { graph } = await worked();
  const { output } = await graph.spawn(Tasks);
  expect(output.tasks.map(({ prompt, status }) => `${prompt} ${status}`)).toEqual([
    'third running',
    'second running',
    'first failed',
  ]);
  expect(output.tasks[0]).toMatchObject({ steps: 2, tools: 1, errors: 1, files: ['a.ts'] });
  const failed = (await graph.spawn(Tasks, null, { status: 'failed' })).output;
  expect(failed.tasks.map(({ prompt }) => prompt)).toEqual(['first']);
  const one = (await graph.spawn(Tasks, null, { limit: 1 })).output;
  expect([one.tasks.length, one.total]).toEqual([1, 3]);
});

test('one task is shown with its steps in their order, by the beginning of its id', async () => {
  const { graph, last } = await worked();
  const { output } = await graph.spawn(Tasks, null, { task_id: last.slice(0, 12) });
  expect(output.prompt).toBe('third\nwith more');
  expect(output.steps?.map(({ order, tools, errors }) => [order, tools.length, errors.length])).toEqual([
    [1, 1, 1],
    [2, 0, 0],
  ]);
  const shown = Tasks.markdown?.(output as never) ?? '';
  expect(shown).toContain('- `edit`: FAILED; `a.ts`: "no such file"');
  expect(shown).toContain('"made it \\| safe"');
  await expect(graph.spawn(Tasks, null, { task_id: 'nope' })).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
  });
});

test('a long task is cut to its budget, and says so', async () => {
  const { graph, last } = await worked();
  for (let order = 3; order < 60; order++)
    await graph.spawn(EtgLogEvent, null, {
      kind: 'step',
      payload: { order, llm_summary: 'done '.repeat(200) },
      task_id: last,
    });
  const { output } = await graph.spawn(Tasks, null, { task_id: last, max_tokens: 1000 });
  expect(JSON.stringify(output.steps).length).toBeLessThan(4100);
  expect(output).toMatchObject({ state: { cut: [expect.stringContaining('max_tokens gives more')] } });
});
