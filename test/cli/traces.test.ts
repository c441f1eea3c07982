import { afterAll, expect, it } from 'vitest';
import { ended, PROJECT, Scratch } from './scratch.js';

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

it('logs in words what went wrong and what was done about it, as a report: nothing ran', async () => {
  const cwd = scratch.write('words1', PROJECT);
  const log = async (...args: string[]) => {
    const { code, stdout, stderr } = await scratch.run(['log', ...args, '--json'], { cwd });
    expect([code, stderr]).toEqual([0, '']);
    return JSON.parse(stdout);
  };
  const first = await log('error', 'expected 200, got 401', '--file', 'src/shop.ts', '--test', 'logs in');
  expect(first.warnings).toEqual(["no task was open, so this began one: 'codewalk log done' ends it"]);
  const second = await log('error', "it's", 'another one');
  expect(second).toMatchObject({ task_id: first.task_id, warnings: [] });
  await log('fix', 'Compare in UTC', '--file', 'src/money.ts');
  expect((await log('done', 'All green')).task_id).toBe(first.task_id);
  const shown = JSON.parse((await scratch.run(['show', '--json'], { cwd })).stdout);
  expect(shown).toMatchObject({
    prompt: 'expected 200, got 401',
    summary: 'All green',
    task: { status: 'success', client: 'codewalk-log', files: ['src/money.ts', 'src/shop.ts'] },
  });
  const [said, fix] = shown.steps;
  expect(fix).toMatchObject({ role: 'editing', summary: 'Compare in UTC' });
  const report = { success: true, command: null, duration_ms: null };
  expect(said.events).toMatchObject([
    { ...report, tool_name: 'codewalk log error', files: ['src/shop.ts'] },
    { error_type: 'test_failure', message: 'expected 200, got 401', tests: ['logs in'] },
    { error_type: 'runtime_error', message: "it's another one" },
  ]);
  expect(fix.events).toMatchObject([{ ...report, tool_name: 'codewalk log fix', file: 'src/money.ts' }]);
  // That it is done shows no run that passed.
  const { results } = JSON.parse(
    (await scratch.run(['attempts', 'expected 200, got 401', '--json'], { cwd })).stdout,
  );
  expect(results).toMatchObject([{ task_id: first.task_id }]);
  for (const { resolved_by } of results) expect(resolved_by?.passed ?? false).toBe(false);
});

it('ends the task that was left when another one begins in words', async () => {
  const cwd = scratch.write('words2', PROJECT);
  const log = async (...args: string[]) =>
    JSON.parse((await scratch.run(['log', ...args, '--json'], { cwd })).stdout);
  const fix = await log('fix', 'Round half up');
  expect((await log('start', 'task two')).warnings).toEqual([
    "'Round half up' was open: it ended as aborted",
  ]);
  const { tasks } = JSON.parse((await scratch.run(['tasks', '--json'], { cwd })).stdout);
  expect(tasks).toMatchObject([
    { prompt: 'task two', status: 'running' },
    { prompt: 'Round half up', status: 'aborted', task_id: fix.task_id },
  ]);
});

it('says where it records in a folder that is no project, and records there nothing of folders in it', async () => {
  const plain = scratch.write('plain', PROJECT);
  const { stdout } = await scratch.run(['log', 'start', 'x'], { cwd: plain });
  expect(stdout).toContain(`${plain} is no project (no git work tree, no manifest, not indexed)`);
  const inside = await scratch.run(['log', 'start', 'y', '--json'], { cwd: `${plain}/src` });
  expect(JSON.parse(inside.stdout)).toMatchObject({
    warnings: [],
    state: { root: `${plain}/src`, cut: [expect.stringContaining('src is no project')] },
  });
});

it('resolves an error that was logged in words when its test passes', async () => {
  const cwd = scratch.write('resolved', PROJECT);
  const { task_id } = JSON.parse(
    (await scratch.run(['log', 'start', 'Fix the login', '--json'], { cwd })).stdout,
  );
  await scratch.run(['log', 'error', 'got 401', '--test', 'logs in', '--task', task_id.slice(0, 14)], {
    cwd,
  });
  await scratch.run(['log', 'fix', 'Compare in UTC', '--file', 'src/money.ts'], { cwd });
  const run = { tool_name: 'bash', params_json: { command: "npx vitest run -t 'logs in'" } };
  const event = (kind: string, payload: object) =>
    scratch.run(['log', kind, '--payload', JSON.stringify(payload), '--task-id', task_id], { cwd });
  await event('tool_start', run);
  await event('tool_end', { tool_name: 'bash', success: true, stdout: '✓ logs in' });
  const { steps } = JSON.parse((await scratch.run(['show', task_id, '--json'], { cwd })).stdout);
  const [{ events }, fix] = steps;
  expect(events.find(({ kind }: { kind: string }) => kind === 'error').resolved_by).toMatchObject({
    step_id: fix.step_id,
  });
});

it('says what is missing, of what a log in words needs', async () => {
  const cwd = scratch.write('missing', PROJECT);
  const refused = async (...args: string[]) => {
    const { code, stderr } = await scratch.run(['log', ...args], { cwd });
    expect(code).not.toBe(0);
    return stderr;
  };
  expect(await refused('done')).toMatch(/no task that was begun with 'codewalk log' is open[\s\S]*log start/);
  expect(await refused('fix')).toContain('log fix: the text is missing');
  expect(await refused('step')).toMatch(/--payload is missing[\s\S]*start\|error\|fix\|done\|failed/);
  expect(await refused('mend', 'it')).toContain('fix');
  expect(await refused('step', 'one', '--payload', '{"order":1}')).toContain('does not go with --payload');
  expect(await refused('fix', 'it', '--task', 'task:nope')).toContain("there is no task 'task:nope'");
  expect(await refused('error', 'it', '--type', 'odd')).toContain('test_failure');
  expect((await scratch.run(['log', 'fix', 'it', '--file', '/etc/hosts'], { cwd })).stdout).toContain(
    "'/etc/hosts' is no file inside the project",
  );
});
