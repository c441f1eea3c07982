import { beforeEach, describe, expect, test } from 'vitest';
import type { OpenGraph } from '../../index.js';
import type { EventKind } from '../../schema/index.js';
import { EtgLogEvent } from '../../walkers/trace/etg-log-event.js';
import { EtgQuerySimilarAttempts } from '../../walkers/trace/etg-query-similar-attempts.js';
import { open, write } from './project.js';

type Params = Record<string, unknown>;
/** One use of a tool: its parameters, and what it printed where it failed. */
interface Use {
  readonly params: Params;
  readonly failed?: string;
  readonly files?: readonly string[];
}

let graph: OpenGraph;
let root: string;
let minute = 0;
beforeEach(async () => {
  root = write({ 'src/auth.ts': '', 'src/cart.ts': '', 'src/date.py': '' });
  graph = await open(root);
  minute = 0;
});

async function log(kind: EventKind, payload: Params, task_id: string | null) {
  const ts = new Date(Date.UTC(2026, 0, 1, 0, minute++)).toISOString();
  return (await graph.spawn(EtgLogEvent, null, { kind, payload, task_id, ts })).output;
}

/** Logs a task with its uses of tools; its id. @param status null: it goes on. */
async function attempt(prompt: string, uses: readonly Use[] = [], status: string | null = 'success') {
  const { task_id } = await log('task_start', { user_prompt: prompt }, null);
  await log('step', { order: 0, role: 'editing', llm_summary: '' }, task_id);
  for (const { params, failed, files = [] } of uses) {
    const tool_name = 'command' in params ? 'shell' : 'edit';
    await log('tool_start', { tool_name, params_json: params, files_touched: files }, task_id);
    const outcome = { success: failed === undefined, stdout: failed ?? '', stderr: '' };
    await log('tool_end', { tool_name, ...outcome, files_touched: files }, task_id);
    if (failed !== undefined)
      await log('error', { error_type: 'test_failure', message: failed.split('\n')[0] ?? '' }, task_id);
  }
  if (status !== null) await log('task_end', { status }, task_id);
  return task_id;
}

async function asked(query: string, more: Params = {}) {
  return (await graph.spawn(EtgQuerySimilarAttempts, null, { query, ...more })).output;
}

const first = async (query: string) => (await asked(query)).results[0];
const LEAP = 'ValueError: day is out of range for month';
const failing = (test: string, error: string) =>
  `____ ${test} ____\nE   ${error}\nFAILED tests/test_date.py::${test} - ${error}\n1 failed in 0.12s`;
const edit = (file: string, old_string: string, new_string: string): Use => ({
  params: { file_path: file, old_string, new_string },
  files: [file],
});
const RUN = { command: 'pytest tests/test_date.py' };

/** A failing test that an edit fixed, among other work. */
async function fixesDate() {
  const id = await attempt('Make dates right', [
    { params: RUN, failed: failing('test_leap_year', LEAP) },
    edit('src/date.py', 'return 28', 'return 29 if is_leap(year) else 28'),
    { params: RUN },
  ]);
  await attempt('Let the cart show taxes', [edit('src/cart.ts', 'total', 'total + tax')]);
  await attempt('Rename the login button', [edit('src/auth.ts', 'Log in', 'Sign in')]);
  return id;
}

describe('a failure', () => {
  test('finds the earlier one first, with the edit that fixed it, and is sure', async () => {
    const id = await fixesDate();
    const { results, summary_markdown } = await asked(
      failing('test_leap_year', LEAP).replace('0.12s', '3.40s'),
    );
    expect(results[0]).toMatchObject({
      task_id: id,
      confidence: 'high',
      status: 'success',
      files: ['src/date.py'],
      resolved_by: {
        passed: true,
        changes: [
          {
            kind: 'edit',
            file: 'src/date.py',
            removed: ['return 28'],
            now: ['return 29 if is_leap(year) else 28'],
          },
        ],
      },
    });
    expect(results[0]?.why).toContain('failed in both: tests/test_date.py::test_leap_year');
    expect(results[0]?.errors[0]?.message).toContain('test_leap_year');
    expect(results[0]?.failures).toMatchObject([
      {
        test: 'tests/test_date.py::test_leap_year',
        reason: LEAP,
        fixed_by: results[0]?.resolved_by?.changes.map(({ tool_id }) => tool_id),
      },
    ]);
    expect(summary_markdown).toContain(
      '- fixed in `src/date.py`:\n     ```diff\n     - return 28\n     + return 29 if is_leap(year) else 28\n     ```\n',
    );
  });

  test('is no less similar for the attempt that meets it now and goes on', async () => {
    const run = (tests: readonly string[]) => tests.map((name) => failing(name, 'KeyError: x1')).join('\n');
    const id = await attempt('Add leap years', [
      { params: RUN, failed: run(['t1', 't2', 't3', 't4', 't5']) },
    ]);
    const asks = run(['t1', 't2', 't3']);
    await attempt('Add leap seconds', [{ params: RUN, failed: asks }], null);
    expect((await asked(asks)).results[0]).toMatchObject({ task_id: id, confidence: 'high' });
  });

  test('of a tool is shown where no error was recorded alongside it', async () => {
    const { task_id } = await log('task_start', { user_prompt: 'Load the settings' }, null);
    const stdout = "collected 4 items\n\u001b[31mKeyError: 'theme'\u001b[0m\n1 failed";
    await log('tool_end', { tool_name: 'shell', success: false, stdout }, task_id);
    const { results, summary_markdown } = await asked("KeyError: 'theme'");
    expect(results[0]).toMatchObject({
      errors: [],
      failures: [{ test: null, reason: "KeyError: 'theme'", fixed_by: [] }],
    });
    expect(summary_markdown).toContain("- failed: `KeyError: 'theme'`\n");
  });

  test('that is new finds nothing that is sure', async () => {
    await fixesDate();
    const { results } = await asked(
      failing('test_upload_limit', 'PermissionError: [Errno 13] denied: bucket'),
    );
    expect(results.filter(({ confidence }) => confidence !== 'low')).toEqual([]);
  });

  test('is recognised by what failed, not by what all failures print', async () => {
    const noise = 'platform linux, collected 40 items\nrootdir: project, configfile: pyproject.toml\n';
    const [first, second] = [
      await attempt('one', [{ params: RUN, failed: noise + failing('test_week', 'assert 7 == 8') }]),
      await attempt('two', [{ params: RUN, failed: noise + failing('test_month', 'assert 7 == 8') }]),
    ];
    const top = async (test: string) =>
      (await asked(noise + failing(test, 'assert 7 == 8'))).results[0]?.task_id;
    expect(await top('test_week')).toBe(first);
    expect(await top('test_month')).toBe(second);
    expect(await top('test_month[february]')).toBe(second);
  });

  test('is the same in colours', async () => {
    const id = await fixesDate();
    const plain = failing('test_leap_year', LEAP);
    const coloured = plain.replaceAll(/^(.+)$/gmu, '\u001b[31m\u001b[1m$1\u001b[0m');
    const [first] = (await asked(coloured)).results;
    expect(first).toMatchObject({ task_id: id, score: (await asked(plain)).results[0]?.score });
  });

  test('is found by a piece of a long output', async () => {
    const report = Array.from({ length: 200 }, (_, i) => `line ${i} of a long report about widget_${i}`);
    const tail = 'error: the frobnicator needs a splined gasket';
    const id = await attempt('a', [{ params: { command: 'make' }, failed: [...report, tail].join('\n') }]);
    await attempt('b', [{ params: { command: 'make' }, failed: 'error: out of memory' }]);
    expect((await asked(tail)).results[0]).toMatchObject({ task_id: id, confidence: 'high' });
  });

  test('that a command fixed names the command', async () => {
    const failed = 'Error: listen EADDRINUSE: address already in use :::3000';
    const serve = { command: 'npm run serve' };
    const kill = { command: 'npx kill-port 3000' };
    await attempt('Run it', [{ params: serve, failed }, { params: kill }, { params: serve }]);
    expect((await first(failed))?.resolved_by).toMatchObject({
      passed: true,
      changes: [{ kind: 'command', ...kill, file: null }],
    });
  });

  const FAILS = { params: RUN, failed: failing('test_a', 'KeyError: x1') };
  const WRONG = edit('src/date.py', 'a', 'wrong guess');
  const GUESS = edit('src/date.py', 'b', 'right guess');
  const right = { now: ['right guess'] };
  test.each([
    ['not seen to pass has no fix', [FAILS, WRONG, FAILS, GUESS], null, [right, { now: ['wrong guess'] }]],
    ['passed has the edits since its last failure', [FAILS, WRONG, FAILS, GUESS, { params: RUN }], right],
    ['followed by nothing has no fix', [FAILS], null, []],
  ] as const)('whose command was %s', async (_what, uses, fix, tried?) => {
    await attempt('Try', uses, 'failed');
    const found = await first(FAILS.failed);
    const resolved_by = fix && { passed: true, changes: [fix] };
    expect(found).toMatchObject({ status: 'failed', resolved_by, ...(tried ? { tried } : {}) });
    expect(found?.failures[0]?.fixed_by).toHaveLength(fix ? 1 : 0);
  });
});

describe('a task', () => {
  test('finds attempts by rare words that they share, and no others', async () => {
    const login = await attempt('Let sessions expire after an hour', [edit('src/auth.ts', 'a', 'b')]);
    await attempt('Use constants', [edit('src/auth.ts', 'c', 'd')]);
    await attempt('Show taxes', [edit('src/cart.ts', 'e', 'f')]);
    const ids = (await asked('session expiry')).results.map(({ task_id }) => task_id);
    expect(ids).toEqual([login]);
  });

  test('with files finds those that touched them first; strict leaves out all others', async () => {
    const cart = await attempt('Round prices', [edit('src/cart.ts', 'a', 'b')]);
    const auth = await attempt('Round avatars', [edit('src/auth.ts', 'a', 'b')]);
    const find = async (more: Params) =>
      (await asked('Round corners', more)).results.map(({ task_id }) => task_id);
    expect((await find({ file_paths: ['src/auth.ts'] })).slice(0, 2)).toEqual([auth, cart]);
    expect(await find({ file_paths: [`${root}/src/cart.ts`] })).toEqual([cart, auth]);
    expect(await find({ file_paths: ['src/cart.ts'], file_match: 'strict' })).toEqual([cart]);
    expect((await find({ file_paths: null })).sort()).toEqual([cart, auth].sort());
    await expect(find({ file_paths: ['../elsewhere.ts'] })).rejects.toMatchObject({
      code: 'PATH_OUTSIDE_ROOT',
    });
  });

  test('that goes on comes last: it may be the one that asks', async () => {
    const done = await attempt('Cache the thumbnails of photos');
    const open = await attempt('Cache thumbnails', [], null);
    const ids = (await asked('Cache thumbnails')).results.map(({ task_id }) => task_id);
    expect(ids).toEqual([done, open]);
  });
});

test('what was logged since is found, and what it says now', async () => {
  await attempt('Index the archive');
  expect((await asked('archive')).results).toHaveLength(1);
  const task = await attempt('Sort the archive', [], null);
  expect((await asked('sort archive')).results).toHaveLength(2);
  await log('step', { order: 1, llm_summary: 'pagination by cursor' }, task);
  await log('task_end', { status: 'success' }, task);
  const [first] = (await asked('cursor pagination')).results;
  expect(first).toMatchObject({ task_id: task, status: 'success' });
  expect(first?.summary).toBe('Sort the archive / pagination by cursor');
});

test('an index brought up to date answers like a new one', async () => {
  const home = write({});
  graph = await open(root, home);
  const all = async () => {
    const answers = [];
    for (const query of ['Make dates right', failing('test_leap_year', 'ValueError: day'), 'taxes'])
      answers.push((await asked(query)).results);
    return answers;
  };
  await all();
  await fixesDate();
  await all();
  await attempt('Make taxes right', [edit('src/cart.ts', 'x1', 'x2')]);
  const before = await all();
  await graph.close();
  graph = await open(root, home);
  expect(await all()).toEqual(before);
});

test('nothing recorded, nothing found', async () => {
  expect(await asked('anything')).toMatchObject({
    results: [],
    summary_markdown: 'Nothing is recorded of this project yet.\n',
  });
});

test('limit bounds the rows, and defaults to five', async () => {
  for (let i = 0; i < 7; i++) await attempt(`Port module ${i}`);
  expect((await asked('port module')).results).toHaveLength(5);
  expect((await asked('port module', { limit: 2 })).results).toHaveLength(2);
  await expect(asked('port', { limit: 51 })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
});

test('a query that is too long is cut in its middle and says so', async () => {
  await attempt('Find the needle');
  await attempt('Find the thimble');
  const hay = 'hay '.repeat(3000);
  const { results, state } = (await asked(`needle ${hay} thimble`)) as Awaited<ReturnType<typeof asked>> & {
    state: { cut: string[] };
  };
  expect(results).toHaveLength(2);
  expect(state.cut[0]).toBe('The query was cut to 10000 of 12015 characters, at its start and its end.');
});

test('texts of the record are shown as data: no escapes, nothing hidden, all quoted or fenced', async () => {
  await attempt('Fix \u001b[31mred\u001b[0m <b>bold</b> zero\u200bwidth => ok', [
    { params: RUN, failed: failing('test_x', 'TypeError: <script>alert(1)</script> -> x') },
    edit('src/date.py', 'a -> b', '<i>`c`</i>'),
  ]);
  const { summary_markdown } = await asked('red bold TypeError script');
  expect(summary_markdown).toContain('not instructions');
  expect(summary_markdown).not.toMatch(/\p{Cf}|(?!\n)\p{Cc}/u);
  const outside = summary_markdown.replace(/```diff\n[\s\S]*?```/gu, '').replace(/`[^`\n]*`/gu, '');
  expect(outside).not.toMatch(/[<>]|red|script|zero/u);
});

test('a small budget takes fields first, then rows, and says what it took', async () => {
  for (let i = 0; i < 5; i++)
    await attempt(`Port module ${i} ${'at length '.repeat(40)}`, [
      { params: RUN, failed: failing('test_a', `KeyError: ${'x1 '.repeat(100)}`) },
      edit('src/date.py', 'old\n'.repeat(9), Array.from({ length: 9 }, (_, n) => `line_${n}`).join('\n')),
      { params: RUN },
    ]);
  const spent = async (max_tokens: number) => {
    const answer = (await asked('port module', { max_tokens })) as Awaited<ReturnType<typeof asked>> & {
      state: { cut: string[] };
    };
    return { ...answer, tokens: JSON.stringify(answer.results).length / 4 };
  };
  const middle = await spent(1500);
  expect(middle.results).toHaveLength(5);
  expect(middle.tokens).toBeLessThanOrEqual(1500);
  expect(middle.results[0]?.resolved_by?.changes[0]?.now?.length).toBeGreaterThan(0);
  expect(middle.state.cut.join(' ')).toContain('max_tokens up to 20000 gives more');
  const small = await spent(300);
  expect(small.tokens).toBeLessThanOrEqual(300);
  expect(small.results).toHaveLength(1);
  expect(small.state.cut.join(' ')).toContain('The first of 5 attempts is shown.');
  expect((await spent(20_000)).state.cut).toEqual([]);
});

test.each(['', ' \n'])('nothing to look for is refused in words: %j', async (query) => {
  const message = expect.stringContaining('query: must not be empty');
  await expect(asked(query)).rejects.toMatchObject({ code: 'INVALID_INPUT', message });
});

describe('confidence', () => {
  const sure = async (query: string) => {
    const [first] = (await asked(query)).results;
    return [first?.confidence, first?.same_failure];
  };

  test('is low where everyday words are all that is shared, however few tasks have them', async () => {
    await attempt('Make login return false for a wrong password. Run the tests.');
    await attempt('Repair the sign-in of strangers');
    await attempt('Hash passwords in the backup job');
    for (const query of ['run tests', 'run the tests', 'make password reset possible', 'make euro signs'])
      expect(await sure(query), query).toEqual(['low', false]);
    expect(await sure('hash the passwords of the backup')).toEqual(['high', false]);
  });

  test('in a message with another value is not high, and it is not the same failure', async () => {
    await attempt('Tidy imports', [
      { params: { command: 'make' }, failed: 'KeyError: user_id is not in row 7' },
    ]);
    expect(await sure('KeyError: user_id is not in row 7')).toEqual(['high', true]);
    expect(await sure('KeyError: user_id is not in row 8')).toEqual(['medium', false]);
    expect((await asked('KeyError: user_id is not in row 8')).results[0]?.why).toContain('another value');
    expect(await sure('KeyError: session_id is not in row 7')).not.toContain('high');
  });

  test('is high where a question in words names the test that failed and the class of its error, else not', async () => {
    await fixesDate();
    expect(await sure('ValueError in test_leap_year')).toEqual(['high', false]);
    for (const query of ['KeyError in test_leap_year', 'ValueError in test_other', 'a test for leap years'])
      expect(await sure(query), query).not.toContain('high');
  });

  test('falls from row to row', async () => {
    const words = 'alpha beta gamma delta epsilon zeta'.split(' ');
    for (const [at] of words.entries()) await attempt(`Port ${words.slice(at).join(' ')}`);
    const { results } = await asked(words.join(' '));
    const order = results.map(({ confidence }) => ['high', 'medium', 'low'].indexOf(confidence));
    expect(order).toEqual([...order].sort());
  });
});

test('an exact message that only a tool printed is the same failure, in one line or in several', async () => {
  const block = 'not ok 1 - rounding\n  ---\n  error: |-\n    Expected values to be strictly equal:\n    \n';
  const failed = `TAP version 13\n${block}    118 !== 119\n    \n  name: 'AssertionError'\n  ...\n# tests 1\n# fail 1\n`;
  const { task_id } = await log('task_start', { user_prompt: 'Round it' }, null);
  const params_json = { command: 'node --test' };
  await log('tool_end', { tool_name: 'shell', params_json, success: false, stdout: failed }, task_id);
  for (const space of [' ', '\n\n']) {
    const query = `AssertionError: Expected values to be strictly equal:${space}118 !== 119`;
    expect((await asked(query)).results[0]).toMatchObject({ task_id, same_failure: true });
  }
});

test('words in common are spelled as in the question, and none is of the path or of most tasks', async () => {
  await attempt('Show averages of invoices');
  await attempt('Show taxes');
  await attempt('Show averages');
  const [first] = (await asked(`Show averaged invoices of ${root}/src`)).results;
  expect(first?.why).toBe('rare words in common: invoices');
});
