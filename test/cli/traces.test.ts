import { afterAll, expect, it } from 'vitest';
import { ended, Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

it('records events of a project that nobody indexed, a payload from stdin too, and shows the tasks', async () => {
  const payload = '{"user_prompt":"Fix the login\\nplease"}';
  const started = await scratch.run(['log', 'task_start', '--payload', payload, '--json']);
  const { task_id } = JSON.parse(started.stdout);
  const child = scratch.start(['log', 'step', '--payload', '-', '--task-id', task_id]);
  child.stdin?.end('{"order":1,"role":"editing"}');
  expect(await ended(child)).toMatchObject({ code: 0, stdout: expect.stringContaining('step_id: step:') });

  const wrong = await scratch.run(['log', 'step', '--payload', '{}', '--task-id', task_id]);
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('payload.order') });

  const list = await scratch.run(['tasks']);
  expect(list.stdout).toContain(`- ${task_id} (running, `);
  expect(list.stdout).toContain('"Fix the login". 1 steps');
  const one = await scratch.run(['tasks', task_id]);
  expect(one.stdout).toContain('### Step 1 editing');
});
