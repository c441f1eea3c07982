import { expect, test } from 'vitest';
import { Errors } from '../../walkers/trace/errors.js';
import { Show } from '../../walkers/trace/show.js';
import { Tasks } from '../../walkers/trace/tasks.js';
import { FAILURE, type Params, RUN, Sessions } from './agent-sessions.js';
import { exported, log, open } from './project.js';

/** One session, and what the answers about its only task say. */
async function session() {
  const graph = await open(':memory:');
  const agents = new Sessions(graph);
  await agents.log('task_start', { user_prompt: 'Make the discount right' }, 's1');
  const error = (message: string, more: Params = {}) =>
    agents.log('error', { error_type: 'test_failure', message, ...more }, 's1');
  return {
    graph,
    agents,
    fails: () => agents.use('s1', RUN, FAILURE),
    passes: () => agents.use('s1', RUN),
    edits: (file_path: string, old_string: string, new_string: string) =>
      agents.use('s1', { file_path, old_string, new_string }),
    error,
    /** A run of the test that fails, and its error. */
    reported: async () => {
      await agents.use('s1', RUN, FAILURE);
      await error('no', { tests: ['10 percent discount'] });
    },
    errors: async () => (await graph.spawn(Errors, null, {})).output,
    errorsText: async () => Errors.markdown?.((await graph.spawn(Errors, null, {})).output as never) ?? '',
    show: async () => (await graph.spawn(Show, null, {})).output,
    showText: async () => Show.markdown?.((await graph.spawn(Show, null, {})).output as never) ?? '',
  };
}

test.each([
  ['a hook that says so', { is: true, stderr: 'Exit code 137' }],
  ['its text', { is: false, stderr: '[Request interrupted by user for tool use]' }],
])('what a person interrupted has not failed, told by %s', async (_what, { is, stderr }) => {
  const { agents, error, errors, show, showText, graph } = await session();
  const tool = { tool_name: 'Bash', role: 'testing' };
  const use = { tool_id: 'c1' };
  await agents.log('tool_start', { ...tool, params_json: RUN }, 's1', use);
  const end = { ...tool, success: false, stderr, ...(is ? { interrupted: true } : {}) };
  await agents.log('tool_end', end, 's1', use);
  if (!is) await error(stderr);
  await agents.log('task_end', { status: 'ended' }, 's1');
  expect((await errors()).total).toBe(0);
  expect((await show()).steps[0]?.events).toMatchObject([{ success: null, said: expect.any(String) }]);
  expect(await showText()).toMatch(/halted .*`\n {4}`interrupted by the user: its result is unknown`\n/u);
  expect((await graph.spawn(Tasks, null, {})).output.tasks).toMatchObject([{ status: 'aborted' }]);
  expect((await agents.answer('session_start')) ?? '').not.toContain('still failing');
});

test('without a duration it is the time from the first start to the end, and nothing where both are one moment', async () => {
  const { agents, show, showText } = await session();
  const tool = { tool_name: 'Bash', role: 'testing' };
  const start = { ...tool, params_json: RUN };
  const ts = Date.now() - 60_000;
  for (const [tool_id, from] of [
    ['slow', 1600],
    ['quick', 0],
  ] as const) {
    await agents.log('tool_start', start, 's1', { tool_id, ts: ts - from });
    await agents.log('tool_start', start, 's1', { tool_id, ts });
    await agents.log('tool_end', { ...tool, success: true }, 's1', { tool_id, ts });
  }
  expect((await show()).steps[0]?.events).toMatchObject([{ duration_ms: 1600 }, { duration_ms: null }]);
  expect(await showText()).not.toContain('0 ms');
});

test('of two ends the later one counts, in any order; an error without a message says so; no time is yet to come', async () => {
  const graph = await open(':memory:');
  const task_id = 'twice';
  await log(graph, 'task_start', { user_prompt: 'Twice' }, { task_id, ts: 1000 });
  await log(graph, 'task_end', { status: 'failed', summary: 'It broke' }, { task_id, ts: 3000 });
  await log(graph, 'task_end', { status: 'success', summary: 'Done' }, { task_id, ts: 2000 });
  await log(graph, 'task_end', { status: 'great' }, { task_id, ts: 4000 });
  const { output } = await graph.spawn(Show, null, { task: task_id });
  expect(output).toMatchObject({ task: { status: 'failed' }, summary: 'It broke' });

  const empty = { error_type: 'runtime_error', message: '' };
  await log(graph, 'error', empty, { task_id, ts: 5000 });
  const { errors } = (await graph.spawn(Errors, null, {})).output;
  expect(errors).toMatchObject([{ message: 'no message', fingerprint: null }]);

  const { warnings } = await log(graph, 'error', empty, { task_id, ts: '2099-01-01T00:00:00Z' });
  expect(warnings).toEqual(["ts: '2099-01-01T00:00:00Z' is yet to come; the event counts as of now"]);
  const last = (await graph.spawn(Errors, null, {})).output.errors[0]?.last_at ?? '';
  expect(Math.abs(Date.parse(last) - Date.now())).toBeLessThan(60_000);
});

const WRONG = '  return total - total * pct;';
const RIGHT = '  return total - (total * pct) / 100;';
const TEST = "test('10 percent discount', () => {";

test.each([
  ['test/cart.test.js', TEST, TEST.replace('test', ['test', 'skip'].join('.'))],
  ['test/cart.test.js', TEST, TEST.replace("', ", "', { skip: true }, ")],
  ['test/cart.test.js', "it('adds', () => {", "xit('adds', () => {"],
  ['test/cart.test.js', "it('adds', () => {", `${['it', 'only'].join('.')}('adds', () => {`],
  [
    'test_cart.py',
    'def test_cart():',
    'import pytest\n\n@pytest.mark.xfail(reason="later")\ndef test_cart():',
  ],
  ['test_cart.py', '    total()', '    self.skipTest("later")\n    total()'],
  ['cart_test.go', '\tgot := Cart()', '\tt.Skip("later")\n\tgot := Cart()'],
  ['src/cart.rs', '#[test]', '#[test]\n#[ignore = "later"]'],
  ['CartTest.java', '@Test', '@Disabled\n@Test'],
])('a test that is made not to run is not fixed: %s %s', async (file, was, now) => {
  const { reported, fails, passes, edits, errors, errorsText, showText } = await session();
  await reported();
  await edits('src/cart.js', WRONG, '  return total - pct;');
  await fails();
  await edits(file, was, now);
  await passes();
  expect((await errors()).errors[0]?.resolved_by).toEqual([]);
  for (const text of [await errorsText(), await showText()]) {
    expect(text).toContain('not fixed: what failed was made not to run\n');
    expect(text).not.toMatch(/fixed by|nothing fixed/u);
  }
});

test('prose is no fix of a test where something else was changed; alone it is only what came before', async () => {
  for (const [others, said] of [
    [['src/price.js'], 'fixed by an edit of `src/price.js`'],
    [[], 'passed after an edit of `README.md`'],
  ] as const) {
    const { graph, reported, passes, edits, errorsText, errors } = await session();
    await reported();
    for (const file of others) await edits(file, WRONG, RIGHT);
    await edits('README.md', 'hi', 'hello');
    await passes();
    expect((await errorsText()).replace(/ in task:\w+/gu, '')).toContain(`${said}\n`);
    const [group] = (await errors()).errors;
    const edges = (await exported(graph, 'durable')).filter(({ kind }) => kind === 'RESOLVED_BY');
    expect(edges.map(({ to }) => to)).toEqual(group?.resolved_by.map(({ step_id }) => step_id));
    expect(group?.resolved_by[0]?.changes).toHaveLength(1);
  }
});

test('a run that passed later without a recorded change says so', async () => {
  const { reported, passes, errors, errorsText, showText } = await session();
  await reported();
  expect(await errorsText()).toContain('nothing fixed it yet\n');
  await passes();
  expect((await errors()).errors).toMatchObject([{ resolved_by: [], later: expect.any(String) }]);
  for (const text of [await errorsText(), await showText()])
    expect(text).toContain('passed later, no change was recorded\n');
});

test('what was reported in words is told, as a try and as the fix', async () => {
  const { agents, reported, passes, fails, errors, errorsText } = await session();
  const report = async (file_path: string, reported_fix: string, tool_id: string) => {
    const tool = { tool_name: 'codewalk log fix', role: 'editing', files_touched: [file_path] };
    await agents.log('tool_start', { ...tool, params_json: { file_path, reported_fix } }, 's1', { tool_id });
    await agents.log('tool_end', { ...tool, success: true }, 's1', { tool_id });
  };
  await reported();
  await report('report.py', 'Add 0.1', 'r1');
  await fails();
  await report('report.py', 'Return 0 for an empty list in average', 'r2');
  await passes();
  expect((await errors()).errors[0]?.resolved_by).toMatchObject([
    {
      changes: [{ file: 'report.py', reported: 'Return 0 for an empty list in average' }],
      tried: [{ reported: 'Add 0.1' }],
    },
  ]);
  expect(await errorsText()).toContain(
    'by an edit of `report.py`\n      reported: `Return 0 for an empty list in average`\n      did not help: `Add 0.1`\n',
  );
});

test('what was tried before the fix is told as no help, and the fix shows what was there before', async () => {
  const { reported, fails, passes, edits, errors, errorsText } = await session();
  await reported();
  await edits('src/money.js', '  return Math.round(n);', '  return Math.round(n + 0.1);');
  await fails();
  await edits('src/money.js', '  return Math.round(n + 0.1);', '  return Math.ceil(n);');
  await passes();
  expect((await errors()).errors[0]?.resolved_by).toMatchObject([
    {
      changes: [{ removed: ['return Math.round(n);'], now: ['return Math.ceil(n);'] }],
      tried: [{ now: ['return Math.round(n + 0.1);'] }],
    },
  ]);
  expect(await errorsText()).toContain(
    'now `return Math.ceil(n);`\n      was `return Math.round(n);`\n      did not help: `return Math.round(n + 0.1);`\n',
  );
});

test.each([
  ['before', ['def average(xs):', 'return None'], ['def average(xs):', 'return 0.0']],
  ['after', ['return None', 'return sum(xs) / len(xs)'], ['return 0.0', 'return sum(xs) / len(xs)']],
])('of a short change the line %s it says where', async (_, removed, now) => {
  const { reported, passes, edits, errors, errorsText } = await session();
  await reported();
  await edits('src/report.py', removed.join('\n    '), now.join('\n    '));
  await passes();
  expect((await errors()).errors[0]?.resolved_by[0]?.changes).toMatchObject([{ removed, now }]);
  expect(await errorsText()).toContain('now `return 0.0`\n      was `return None`\n');
});

test('a fix that is reported for an error of no tool use fixes it, and is told as a report', async () => {
  const { agents, error, errors, errorsText } = await session();
  await error('boom of 3 coins');
  await agents.use('s1', { reported_fix: 'rounded the coins' });
  expect((await errors()).errors[0]?.resolved_by[0]).toMatchObject({
    passed: false,
    changes: [{ reported: 'rounded the coins' }],
  });
  expect(await errorsText()).toContain('not checked by a run\n');
});

test('what fixed an error is what was changed before it passed, whatever was changed and run later', async () => {
  const { agents, error, edits, errors, show } = await session();
  const all = { command: 'npx vitest run' };
  await agents.use('s1', all, 'no');
  await error('expected 1', { tests: ['src/cart.test.ts > adds the tax'] });
  await edits('src/money.ts', 'a', 'b');
  await agents.use('s1', { command: 'npx vitest run src/cart.test.ts' });
  await agents.use('s1', { command: 'ls' });
  await edits('src/later.ts', 'a', 'b');
  const fixed = { passed: true, changes: [{ file: 'src/money.ts' }] };
  expect((await errors()).errors).toMatchObject([{ resolved_by: [fixed] }]);
  await agents.use('s1', all);
  const events = (await show()).steps.flatMap((step) => step.events);
  expect(events.filter(({ kind }) => kind === 'error')).toMatchObject([{ resolved_by: fixed }]);
});

test('an edit that was reported without its texts is the fix of a command that passes later', async () => {
  const { agents, error, errors } = await session();
  const message = 'FAILED: 1.005 is 1';
  await agents.use('s1', { command: 'make check' }, message);
  await error(message);
  await agents.use('s1', { file_path: 'src/money.ts' });
  expect((await errors()).errors).toMatchObject([{ resolved_by: [] }]);
  await agents.use('s1', { command: 'make check' });
  expect((await errors()).errors).toMatchObject([{ resolved_by: [{ passed: true }] }]);
});
