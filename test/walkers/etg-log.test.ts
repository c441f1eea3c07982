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
