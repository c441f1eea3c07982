import { expect, test } from 'vitest';
import { Errors } from '../../walkers/trace/errors.js';
import { listedNames, quotedLines } from '../../walkers/trace/rows.js';
import { Show } from '../../walkers/trace/show.js';
import { Tasks } from '../../walkers/trace/tasks.js';
import { log, open } from './project.js';
import { worked } from './worked.js';

/** Lines that a terminal of 80 columns would break. */
const tooLong = (markdown: string) => markdown.split('\n').filter((line) => line.length > 80);

test('tasks are listed, the newest first, by how they stand, their session and their client', async () => {
  const { graph } = await worked();
  const list = async (input = {}) => (await graph.spawn(Tasks, null, input)).output;
  const { tasks } = await list();
  expect(tasks.map(({ prompt, status }) => `${prompt} ${status}`)).toEqual([
    'What does the checkout do? running',
    'Round the total failed',
    'The total of a cart is wrong success',
  ]);
  expect(tasks[2]).toMatchObject({ steps: 3, tools: 3, errors: 1, files: ['src/money.ts'], client: 'qwen' });
  const prompts = async (input: object) => (await list(input)).tasks.map(({ prompt }) => prompt);
  expect(await prompts({ status: 'failed' })).toEqual(['Round the total']);
  expect(await prompts({ client: 'qwen' })).toEqual(['The total of a cart is wrong']);
  expect(await prompts({ session: 'session-b', status: 'running' })).toEqual(['What does the checkout do?']);
  expect(await list({ limit: 1 })).toMatchObject({
    total: 3,
    tasks: [{ status: 'running' }],
    state: {
      cut: ['The first of 3 tasks is shown: the next page gives more.'],
      cursor: expect.any(String),
    },
  });
  const shown = Tasks.markdown?.((await list()) as never) ?? '';
  expect(shown).toContain('  failed   1 step, 1 tool, 2 errors  claude\n  `Round the total`\n');
  expect(tooLong(shown)).toEqual([]);
});

test('one task is a timeline: what each tool did, what failed, and what fixed it', async () => {
  const { graph, mended } = await worked();
  const { output } = await graph.spawn(Show, null, { task: mended.slice(0, 12) });
  expect(output.prompt).toBe('The total of a cart is wrong\nplease mend it');
  const [testing, editing, again] = output.steps;
  expect(testing?.events).toMatchObject([
    { kind: 'tool', command: 'npx vitest run src/cart.test.ts', success: false, duration_ms: 120 },
    {
      kind: 'error',
      tests: ['src/cart.test.ts > adds the tax'],
      resolved_by: { step_id: editing?.step_id, passed: true, changes: [{ file: 'src/money.ts' }] },
    },
  ]);
  expect(editing?.events).toMatchObject([
    { tool_name: 'edit', file: 'src/money.ts', added: 1, removed: 1, files: ['src/money.ts'] },
    { kind: 'checkpoint', checkpoint_file: 'saved.json' },
  ]);
  expect(again?.events).toMatchObject([{ success: true, said: '' }]);
  const shown = Show.markdown?.(output as never) ?? '';
  expect(shown).toContain(
    '- 12:06:03  FAILED  120 ms  `$ npx vitest run src/cart.test.ts`\n- 12:06:06  error           test_failure\n',
  );
  expect(shown).toContain(
    'fixed by an edit of `src/money.ts` line 2\n      now `return price * 0.2;`\n      was `return price * 0.02;`\n',
  );
  expect(shown).toContain('edit `src/money.ts` +1 -1\n');
  expect(tooLong(shown)).toEqual([]);
});

test('under what failed stands why, once; an edit that failed has changed no line; a compiler names no tests', async () => {
  const graph = await open(':memory:');
  const task_id = 'fails';
  const use = async (tool_id: string, params_json: object, stdout: string) => {
    const tool_name = 'shell';
    await log(graph, 'tool_start', { tool_name, params_json }, { task_id, tool_id });
    await log(graph, 'tool_end', { tool_name, success: false, stdout }, { task_id, tool_id });
  };
  const heading = `____ test_url_matches[${'a'.repeat(60)}] ____`;
  const why = "E       TypeError: '<' not supported";
  await use(
    'tests',
    { command: 'pytest' },
    `= FAILURES =\n${heading}\n    def test():\n>       sort()\n${why}\n`,
  );
  await use('script', { command: 'npm test' }, '\n> express@5.1.0 test\n> mocha\n\n  1) fails to route\n');
  await use('edit', { file_path: 'src/a.ts', old_string: 'a', new_string: 'b' }, 'old_string was not found');
  const message = "src/a.ts(1,7): error TS2304: Cannot find name 'Foo'.";
  await use('compiler', { command: 'npx tsc' }, `> tsc\n${message}\n`);
  const said = 'tsc says: Foo is missing';
  await use('told', { command: 'make' }, 'make: *** [all] Error 1');
  await log(graph, 'error', { error_type: 'compile_error', message }, { task_id, tool_id: 'compiler' });
  await log(graph, 'error', { error_type: 'tool_error', message: said }, { task_id, tool_id: 'told' });
  const { output } = await graph.spawn(Show, null, { task: task_id });
  const events = output.steps.flatMap((step) => step.events);
  expect(events.flatMap((event) => (event.kind === 'tool' ? event.said : []))).toEqual([
    `test_url_matches[${'a'.repeat(60)}]: TypeError: '<' not supported`,
    '1) fails to route',
    'old_string was not found',
    message,
    said,
  ]);
  const shown = Show.markdown?.(output as never) ?? '';
  expect(shown).toContain('shell `src/a.ts`\n');
  expect(shown.split("Cannot find name 'Foo'").length).toBe(2);
  expect(shown).not.toContain('failing: ');
});

test('a task whose prompt was never reported has its session and client from its events, whatever their order', async () => {
  const told = async (events: readonly [session_id: string, ts: number][], prompt: number | null) => {
    const graph = await open(':memory:');
    const task_id = 'lost';
    if (prompt !== null) await log(graph, 'task_start', { user_prompt: 'late' }, { task_id, ts: prompt });
    for (const [session_id, ts] of events)
      await log(graph, 'tool_start', { tool_name: 'x', client: 'qwen' }, { task_id, session_id, ts });
    const [task] = (await graph.spawn(Tasks)).output.tasks;
    return [task?.session_id, task?.client];
  };
  const both = [
    ['one', 1e12],
    ['two', 2e12],
  ] as const satisfies [string, number][];
  expect(await told([...both], null)).toEqual(['one', 'qwen']);
  expect(await told([...both].reverse(), null)).toEqual(['one', 'qwen']);
  for (const prompt of [5e11, 3e12]) expect(await told([...both], prompt)).toEqual([null, null]);
});

test('without a task the newest is shown; an id that names none, or several, is refused', async () => {
  const { graph, asked, failed } = await worked();
  expect((await graph.spawn(Show)).output.task.task_id).toBe(asked);
  const two = (await graph.spawn(Show, null, { task: failed })).output;
  const shown = Show.markdown?.(two as never) ?? '';
  expect(shown).toContain('Round the total');
  expect(shown).toContain('`` no such `file` ``');
  const refused = (task: string) => expect(graph.spawn(Show, null, { task })).rejects;
  await refused('nope').toMatchObject({ code: 'NODE_NOT_FOUND' });
  await refused('task:').toMatchObject({ code: 'NODE_NOT_FOUND' });
  await expect((await open(':memory:')).spawn(Show)).rejects.toThrow('no task is recorded');
});

test('a long task is cut to its budget, also where the prompt, the summary and the files are long, and says so', async () => {
  const { graph, failed } = await worked();
  for (let order = 3; order < 60; order++)
    await log(graph, 'step', { order, llm_summary: 'done '.repeat(200) }, { task_id: failed });
  const shown = async (task: string, more = {}) => (await graph.spawn(Show, null, { task, ...more })).output;
  expect((await shown(failed)).steps.length).toBe(58);
  const short = await shown(failed, { max_tokens: 1000 });
  expect(JSON.stringify(short.steps).length).toBeLessThan(4100);
  const cutTo = (text: string) => ({
    state: { cut: expect.arrayContaining([expect.stringContaining(text)]) },
  });
  expect(short).toMatchObject(cutTo('max_tokens up to'));

  const task_id = 'long';
  const files_touched = Array.from({ length: 400 }, (_, i) => `src/file-${i}.ts`);
  await log(graph, 'task_start', { user_prompt: 'all of it '.repeat(1500) }, { task_id });
  await log(graph, 'tool_end', { tool_name: 'Read', success: true, files_touched }, { task_id });
  await log(graph, 'task_end', { status: 'ended', summary: 'done so '.repeat(1500) }, { task_id });
  const { task, prompt, summary, ...rest } = await shown(task_id, { max_tokens: 1000 });
  expect(JSON.stringify({ task, prompt, summary }).length).toBeLessThan(3600);
  expect(task.files.length).toBeGreaterThanOrEqual(10);
  expect(rest).toMatchObject(cutTo('Files of the task are shortened'));
});

test('equal errors are one: how often, in which tasks, which tests failed, what fixed them', async () => {
  const { graph, mended, failed } = await worked();
  const { output } = await graph.spawn(Errors);
  expect(output).toMatchObject({
    total: 2,
    errors: [
      {
        error_type: 'test_failure',
        count: 2,
        tasks: [{ task_id: failed, status: 'failed' }, { task_id: mended }],
        tests: ['src/cart.test.ts > adds the tax'],
        resolved_by: [{ task_id: mended, passed: true, changes: [{ file: 'src/money.ts' }] }],
      },
      { error_type: 'tool_error', count: 1, resolved_by: [] },
    ],
  });
  const shown = Errors.markdown?.(output as never) ?? '';
  expect(shown).toContain('- 2 x  test_failure ');
  expect(shown).toContain('nothing fixed it yet');
  expect(tooLong(shown)).toEqual([]);
  const tools = (await graph.spawn(Errors, null, { type: 'tool_error' })).output;
  expect(tools.errors.map(({ message }) => message)).toEqual(['no such `file`']);
});

test('one failure is asked for by its fingerprint or the id of one of its errors, with all its tasks', async () => {
  const { graph, failed } = await worked();
  for (let at = 0; at < 25; at++) {
    const { task_id } = await log(graph, 'task_start', { user_prompt: `once more, ${at}` });
    await log(graph, 'error', { error_type: 'tool_error', message: 'no such `file`' }, { task_id });
  }
  const all = (await graph.spawn(Errors)).output.errors;
  const [known] = all.filter(({ error_type }) => error_type === 'tool_error');
  expect([known?.count, known?.tasks.length]).toEqual([26, 20]);
  const one = async (failure: string) =>
    (await graph.spawn(Errors, null, { failure, max_tokens: 20_000 })).output;
  const { errors, total } = await one(known?.fingerprint ?? '');
  expect([total, errors.length, errors[0]?.count, errors[0]?.tasks.length]).toEqual([1, 1, 26, 26]);
  expect(errors[0]?.tasks.map(({ task_id }) => task_id)).toContain(failed);
  expect((await one(known?.error_id ?? '')).errors).toEqual(errors);
  await expect(one('never met')).rejects.toMatchObject({ code: 'NODE_NOT_FOUND' });
});

test('edits are shown where they are asked for: without what stays at their ends, cut where they are long', async () => {
  const { graph, mended, asked } = await worked();
  const toolsOf = async (task: string, edits: boolean) =>
    (await graph.spawn(Show, null, { task, edits })).output.steps
      .flatMap(({ events }) => events)
      .filter((event) => event.kind === 'tool');
  expect((await toolsOf(mended, true)).map(({ edit }) => edit)).toEqual([
    null,
    { removed: ['return price * 0.02;'], now: ['return price * 0.2;'], left_out: 0 },
    null,
  ]);
  expect((await toolsOf(mended, false)).map((tool) => 'edit' in tool)).toEqual([false, false, false]);
  const many = Array.from({ length: 100 }, (_, at) => `  line${at}();`);
  const edit = async (old_string: string, new_string: string, success: boolean) => {
    const params_json = { file_path: 'src/cart.ts', old_string, new_string };
    await log(
      graph,
      'tool_start',
      { tool_name: 'edit', params_json, files_touched: ['src/cart.ts'] },
      { task_id: asked },
    );
    await log(graph, 'tool_end', { tool_name: 'edit', success }, { task_id: asked });
  };
  await edit('a() {\n  b();\n}\n', `a() {\n${many.join('\n')}\n}\n`, true);
  await edit('c();', 'd();', false);
  const [, long, failed] = await toolsOf(asked, true);
  expect(long?.edit).toEqual({ removed: ['  b();'], now: many.slice(0, 80), left_out: 20 });
  expect(failed?.edit).toBeNull();
});

test('a long message goes on in a second line, and of a long name the end is shown', () => {
  expect(quotedLines(`${'words '.repeat(9)}end`, 40)).toEqual([
    '`words words words words words words',
    'words words words end`',
  ]);
  const path = 'long/'.repeat(40);
  expect(quotedLines(path, 40).map(({ length }) => length)).toEqual([40, 40]);
  expect(quotedLines(path, 40)[1]?.endsWith('…`')).toBe(true);
  expect(listedNames(['tests/test_url.py::test_remove', 'b', 'c'], 2, 26)).toBe(
    '`…:test_remove`, `b` and 1 more',
  );
});
