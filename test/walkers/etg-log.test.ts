import { expect, test } from 'vitest';
import { exported, log, open, write } from './project.js';

test('a whole task: its steps, tools, errors, checkpoints and end', async () => {
  const graph = await open(write({ 'src/a.ts': 'export const a = 1;\n' }));
  const { task_id, step_id, tool_id } = await log(graph, 'task_start', {
    user_prompt: 'Fix the login',
    tags: ['auth'],
  });
  expect({ step_id, tool_id }).toEqual({ step_id: null, tool_id: null });
  const step = await log(graph, 'step', { order: 1, role: 'editing' }, { task_id });
  const start = await log(
    graph,
    'tool_start',
    { tool_name: 'edit', params_json: { path: 'src/a.ts' } },
    { task_id },
  );
  const end = await log(
    graph,
    'tool_end',
    { tool_name: 'edit', success: true, files_touched: ['src/a.ts'] },
    { task_id },
  );
  expect(start).toEqual({ task_id, step_id: step.step_id, tool_id: end.tool_id, warnings: [] });
  await log(graph, 'error', { error_type: 'test_failure', message: 'expected 200, got 401' }, { task_id });
  await log(graph, 'checkpoint', { checkpoint_file: 'work.patch' }, { task_id });
  await log(graph, 'task_end', { status: 'success' }, { task_id });
  const lines = await exported(graph, 'durable');
  const kinds = lines.map(({ kind }) => kind);
  expect(kinds.sort()).toEqual(
    [
      'CheckpointNode',
      'Error',
      'HAS_CHECKPOINT',
      'HAS_ERROR',
      'HAS_STEP',
      'INVOKES_TOOL',
      'Step',
      'TOUCHES_FILE',
      'Task',
      'ToolInvocation',
    ].sort(),
  );
  expect(lines.find(({ kind }) => kind === 'Task')).toMatchObject({
    status: 'success',
    user_prompt: 'Fix the login',
    files_touched: ['src/a.ts'],
    tags: ['auth'],
  });
});

test("a tool's parameters may be a text of JSON; a text that is no object is kept whole", async () => {
  const graph = await open(':memory:');
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'Run it' });
  for (const params_json of ['{"command":"ls"}', 'ls -l', '["ls"]', ''])
    await log(graph, 'tool_start', { tool_name: `x ${params_json}`, params_json }, { task_id });
  const lines = await exported(graph, 'durable');
  const tools = lines.filter(({ kind }) => kind === 'ToolInvocation');
  expect(new Set(tools.map(({ params_json }) => JSON.stringify(params_json)))).toEqual(
    new Set(['{"command":"ls"}', '{"text":"ls -l"}', '{"text":"[\\"ls\\"]"}', 'null']),
  );
  await expect(log(graph, 'tool_start', { tool_name: 'x', params_json: 5 })).rejects.toMatchObject({
    message: 'tool_start: payload.params_json: expected an object or a text of JSON',
  });
});

test('a field that looks like a known one is warned of; another unknown one is dropped without a word', async () => {
  const graph = await open(':memory:');
  const { task_id, warnings } = await log(graph, 'task_start', {
    user_prompt: 'x',
    tag: ['a'],
    mood: 'good',
    client: 'cli',
  });
  expect(warnings).toEqual(["tag: no such field, left out; did you mean 'tags'?"]);
  const step = { order: 1, llm_sumary: 'looked', mode: 'fast' };
  expect((await log(graph, 'step', step, { task_id })).warnings).toEqual([
    "llm_sumary: no such field, left out; did you mean 'llm_summary'?",
  ]);
});

test('a status in other words is kept raw, and what it was taken for is told', async () => {
  const graph = await open(':memory:');
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'x' });
  expect((await log(graph, 'task_end', { status: 'finished' }, { task_id })).warnings).toEqual([
    "status: 'finished' is none of planned, running, success, failed, aborted; kept as status_raw, status is success",
  ]);
});

test('a word that nobody knows, sent after the end was told, leaves the task as it was told', async () => {
  const graph = await open(':memory:');
  const { task_id } = await log(graph, 'task_start', { user_prompt: 'x' });
  await log(graph, 'task_end', { status: 'success' }, { task_id });
  await log(graph, 'task_end', { status: 'won' }, { task_id });
  const [task] = (await exported(graph, 'durable')).filter(({ kind }) => kind === 'Task');
  expect(task).toMatchObject({ status: 'success', status_raw: 'won' });
});
