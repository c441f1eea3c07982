import { afterAll, expect, it } from 'vitest';
import { ended, Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

it('answers that nothing is recorded where nothing is, and makes nothing', async () => {
  const state = { root: scratch.project, revision: 0, cut: [] };
  const attempts = await scratch.run(['attempts', 'the login fails', '--json']);
  expect(JSON.parse(attempts.stdout)).toMatchObject({ results: [], state });
  expect((await scratch.run(['attempts', 'x'])).stdout).toBe('Nothing is recorded of this project yet.\n');
  expect(JSON.parse((await scratch.run(['tasks', '--json'])).stdout)).toMatchObject({ tasks: [], state });
  expect((await scratch.run(['errors'])).stdout).toBe('No error that fits is recorded here.\n');
  expect((await scratch.run(['show', 'nope'])).stderr).toContain("there is no task 'nope'");
  expect((await scratch.run(['tasks', 'task:0uc8'])).stderr).toContain("'codewalk show task:0uc8' shows it");
  expect((await scratch.run(['tasks', '--limit', '0'])).stderr).toContain(
    'limit: it is at least 1 (given: 0)\n',
  );
  const { stdout } = await scratch.run(['projects', '--json']);
  expect(JSON.parse(stdout)).toEqual({ projects: [] });
});

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
  expect(list.stdout).toContain('running  1 step, 0 tools, 0 errors\n  Fix the login\n');
  const one = await scratch.run(['show', task_id]);
  expect(one.stdout).toContain('Step 1 editing');
  expect((await scratch.run(['show'])).stdout).toBe(one.stdout);
});

it('takes what a failing command prints from a pipe', async () => {
  const child = scratch.start(['attempts', '-', '--json']);
  child.stdin?.write('FAILED test_login.py::test_expiry\n');
  setTimeout(() => child.stdin?.end('please log in\n'), 300);
  const { code, stdout } = await ended(child);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).results).toMatchObject([{ why: expect.stringContaining('login') }]);
});
