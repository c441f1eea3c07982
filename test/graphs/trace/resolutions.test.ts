import { describe, expect, test } from 'vitest';
import { at, linesAfter, type Sent } from './sent-events.js';

type Failed = Readonly<Record<string, unknown>>;

/** A use of the shell: its start, its end, and the error that reports it; three seconds. */
const shell = (second: number, command: string, failed?: Failed, stdout = ''): Sent[] => {
  const use = { tool_id: `c${second}` };
  const tool_name = 'Bash';
  const success = failed === undefined;
  return [
    at(second, { kind: 'tool_start', payload: { tool_name, params_json: { command } }, ...use }),
    at(second + 1, { kind: 'tool_end', payload: { tool_name, success, stdout }, ...use }),
    ...(failed
      ? [at(second + 2, { kind: 'error', payload: { error_type: 'test_failure', ...failed }, ...use })]
      : []),
  ];
};
/** An edit of a file; every edit has a text of its own. */
const edit = (second: number, path: string, end: Failed | null = { success: true }): Sent[] => {
  const use = { tool_id: `c${second}` };
  const params_json = { file_path: `/p/${path}`, old_string: `was ${second}`, new_string: `is ${second}` };
  const tool = { tool_name: 'Edit', role: 'editing' };
  return [
    at(second, { kind: 'tool_start', payload: { ...tool, params_json, files_touched: [path] }, ...use }),
    ...(end ? [at(second + 1, { kind: 'tool_end', payload: { ...tool, ...end }, ...use })] : []),
  ];
};
const error = (second: number, of: number, message: string): Sent =>
  at(second, { kind: 'error', payload: { error_type: 'tool_error', message }, tool_id: `c${of}` });
const stop = at(99, { kind: 'task_end', payload: { status: 'ended' } });

interface Recorded {
  /** What fixed each error, by its message: files of edits, else commands. */
  readonly fixed: Readonly<Record<string, readonly string[]>>;
  /** The same by test, where the error has several. */
  readonly byTest: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly status: string;
}

/** What is recorded of events, in several orders. Checks that edges, tool uses, errors and tests agree. */
async function recorded(events: readonly Sent[], orders = 0): Promise<Recorded> {
  const lines = await linesAfter(events, orders);
  const of = (kind: string) => lines.filter((line) => line.kind === kind);
  const tools = new Map(of('ToolInvocation').map((tool) => [tool.id, tool]));
  const touched = new Map(of('TOUCHES_FILE').map(({ from, to }) => [from, to.replace('file:', '')]));
  const nameOf = (id: string) => touched.get(id) ?? tools.get(id).params_json?.command ?? id;
  const [fixed, byTest]: [Record<string, string[]>, Record<string, Record<string, string[]>>] = [{}, {}];
  for (const { id, message, tool_id, resolved_by, fixes } of of('Error')) {
    const edges = of('RESOLVED_BY').filter(({ from }) => from === id);
    const last = of('INVOKES_TOOL').find(({ to }) => to === resolved_by.at(-1));
    expect(edges.map(({ to, derived }) => [to, derived])).toEqual(last ? [[last.from, true]] : []);
    const named: string[][] = Object.values(fixes);
    for (const some of named) expect(some.length).toBeGreaterThan(0);
    expect(resolved_by).toEqual(expect.arrayContaining(named.flat()));
    if (tools.has(tool_id))
      expect([tools.get(tool_id).resolved_by, tools.get(tool_id).fixes]).toEqual([resolved_by, fixes]);
    fixed[message] = resolved_by.map(nameOf);
    if (named.length > 0)
      byTest[message] = Object.fromEntries(
        Object.entries<string[]>(fixes).map(([name, some]) => [name, some.map(nameOf)]),
      );
  }
  for (const { from } of of('RESOLVED_BY')) expect(of('Error').map(({ id }) => id)).toContain(from);
  return { fixed, byTest, status: of('Task')[0].status };
}

const [A, B, C] = ['test/a.test.ts > adds', 'test/b.test.ts > bills', 'test/c.test.ts > counts'] as const;
const RUN = 'npx vitest run';

test('a failure is fixed by the changes since its last run, when the same command passes', async () => {
  const events = [
    ...shell(2, 'npm  test', { message: 'first', tests: [A] }),
    ...edit(11, 'src/tax.ts'),
    ...shell(20, 'npm test', { message: 'second', tests: [A] }),
    ...edit(31, 'src/cart.ts'),
    ...shell(41, 'git status'),
    ...shell(50, ' npm test\n'),
    ...edit(60, 'src/later.ts'),
    stop,
  ];
  expect(await recorded(events, 5)).toEqual({
    fixed: { first: ['src/cart.ts'], second: ['src/cart.ts'] },
    byTest: {},
    status: 'success',
  });
});

describe('what covers a failing run', () => {
  const failed = [...shell(2, RUN, { message: 'no', tests: [A] }), ...edit(11, 'src/cart.ts')];
  const outcome = async (...commands: readonly (string | readonly [command: string, stdout: string])[]) => {
    const runs = commands.map((one) => (typeof one === 'string' ? ([one, ''] as const) : one));
    const { fixed, status } = await recorded([
      ...failed,
      ...runs.flatMap(([command, stdout], i) => shell(20 + 4 * i, command, undefined, stdout)),
      stop,
    ]);
    return `${status}: ${fixed.no?.join()}`;
  };

  test.each([
    ['a run of the file', [`${RUN} test/a.test.ts`]],
    ['a run of the name', [`${RUN} -t adds`]],
    ['the script of the tests', ['npm test']],
    ['the script with the file', ['npm test -- test/a.test.ts']],
    ['one of two that both passed', ['npm run lint && npm test']],
    [
      'a pipe that shows no failure',
      [['timeout 60 npx vitest run 2>&1 | tail -5', ' Tests  4 passed (4)'] as const],
    ],
    ['a line that goes on after it', [`${RUN}; echo done`]],
    [
      'another run whose output lists the file as passed',
      [['npm run test:unit', ' ✓ test/a.test.ts (3 tests) 5ms'] as const],
    ],
  ])('%s does', async (_what, commands) => {
    expect(await outcome(...commands)).toBe('success: src/cart.ts');
  });

  test.each([
    ['a run of another file', [`${RUN} test/b.test.ts`]],
    ['a type check, another runner, another folder', ['npx tsc', 'pytest', 'cd web && npx vitest run']],
    ['a pipe that shows a failure', [[`${RUN} | tail -5`, ' Tests  1 failed | 3 passed (4)'] as const]],
    ['a run whose output is only counted', ['npm test | wc -l']],
    [
      'another run whose output lists other files',
      [['npm run test:unit', ' ✓ test/b.test.ts (3 tests) 5ms'] as const],
    ],
  ])('%s does not', async (_what, commands) => {
    expect(await outcome(...commands)).toBe('failed: ');
  });

  test('a larger run covers a smaller one, and a smaller one only its tests', async () => {
    const one = shell(2, `${RUN} test/a.test.ts`, { message: 'no', tests: [A] });
    expect(await recorded([...one, ...edit(11, 'src/a.ts'), ...shell(20, RUN), stop])).toMatchObject({
      fixed: { no: ['src/a.ts'] },
      status: 'success',
    });
    const two = shell(2, RUN, { message: 'no', tests: [A, B] });
    const passed = shell(20, `${RUN} test/a.test.ts`);
    expect(await recorded([...two, ...edit(11, 'src/a.ts'), ...passed, stop])).toMatchObject({
      fixed: { no: ['src/a.ts'] },
      status: 'failed',
    });
  });
});

test('tests that fail together are each fixed by the changes before their own pass', async () => {
  const events = [
    ...shell(2, RUN, { message: 'three', tests: [A, B, C] }),
    ...edit(10, 'src/a.ts'),
    ...shell(15, `${RUN} test/a.test.ts`),
    ...shell(20, RUN, { message: 'two', tests: [B, C] }),
    ...edit(30, 'src/b.ts'),
    ...shell(35, RUN, { message: 'one', tests: [C] }),
    ...edit(40, 'src/c.ts'),
    ...shell(50, RUN),
    stop,
  ];
  const last = { [B]: ['src/b.ts'], [C]: ['src/c.ts'] };
  expect(await recorded(events, 5)).toEqual({
    fixed: { three: ['src/a.ts', 'src/b.ts', 'src/c.ts'], two: ['src/b.ts', 'src/c.ts'], one: ['src/c.ts'] },
    byTest: { three: { [A]: ['src/a.ts'], ...last }, two: last },
    status: 'success',
  });
});

test('a run that stopped at its first failing test says nothing of the others', async () => {
  const stopped =
    ' FAIL  test/c.test.ts > counts\nAssertionError: expected 1 to be 2\n Tests  1 failed (1)\n';
  const bail = `${RUN} --bail=1`;
  const events = [
    ...shell(2, bail, { message: 'two', tests: [A, C] }),
    ...edit(10, 'src/a.ts'),
    ...shell(15, bail, { message: 'one', tests: [C] }, `${stopped} bail\n`),
    stop,
  ];
  const { status } = await recorded(events);
  expect(status).toBe('failed');
});

describe('what fixes nothing', () => {
  const failed = shell(2, RUN, { message: 'no', tests: [A] });
  const passed = [...shell(50, RUN), stop];

  test('an edit that was denied, failed, or has no end', async () => {
    const events = [
      ...failed,
      ...edit(10, 'src/denied.ts', null),
      error(12, 10, 'The user rejected it'),
      ...edit(14, 'src/refused.ts'),
      error(16, 14, 'refused'),
      ...edit(18, 'src/failed.ts', { success: false, stderr: 'old_string was not found' }),
      ...edit(22, 'src/open.ts', null),
      ...edit(26, 'src/cart.ts'),
      ...passed,
    ];
    const { fixed } = await recorded(events, 5);
    expect(fixed.no).toEqual(['src/cart.ts']);
    const none = events.filter(({ tool_id }) => tool_id !== 'c26');
    expect((await recorded(none)).fixed.no).toEqual([]);
  });

  test('a second end for one id decides over the first one', async () => {
    const again = (success: boolean) =>
      at(13, { kind: 'tool_end', payload: { tool_name: 'Edit', success }, tool_id: 'c10' });
    const first = (success: boolean) => [...failed, ...edit(10, 'src/a.ts', { success }), again(!success)];
    expect((await recorded([...first(true), ...passed], 4)).fixed.no).toEqual([]);
    expect((await recorded([...first(false), ...passed], 4)).fixed.no).toEqual(['src/a.ts']);
  });

  test('a change that a later one took back', async () => {
    const change = (second: number, old_string: string, new_string: string): Sent[] => {
      const [start, end] = edit(second, 'src/a.ts');
      const params_json = { file_path: '/p/src/a.ts', old_string, new_string };
      return start && end ? [{ ...start, payload: { ...start.payload, params_json } }, end] : [];
    };
    const events = [
      ...failed,
      ...change(10, 'return 1;', 'return 2;'),
      ...change(14, 'return 2;', 'return 1;'),
      ...edit(18, 'src/cart.ts'),
      ...passed,
    ];
    expect((await recorded(events)).fixed.no).toEqual(['src/cart.ts']);
  });

  test('looking at things; where nothing was edited a command may have', async () => {
    expect((await recorded([...failed, ...shell(10, 'git status'), ...passed])).fixed.no).toEqual([]);
    expect((await recorded([...failed, ...shell(10, 'npm install'), ...passed])).fixed.no).toEqual([
      'npm install',
    ]);
    const both = [...shell(10, 'npm install'), ...edit(14, 'src/a.ts')];
    expect((await recorded([...failed, ...both, ...passed])).fixed.no).toEqual(['src/a.ts']);
  });
});

describe('a client that reports little', () => {
  const end = (second: number, tool_name: string, payload: Failed): Sent =>
    at(second, { kind: 'tool_end', payload: { tool_name, success: true, ...payload } });
  const PRINTED =
    ' FAIL  test/a.test.ts > adds\nAssertionError: expected 1 to be 2\n\n Tests  1 failed (1)\n';
  const run = (second: number, stdout?: string) =>
    end(second, 'run_tests', stdout === undefined ? {} : { success: false, stdout });
  const edited = (second: number, tool: string) => end(second, tool, { files_touched: ['src/a.ts'] });
  const failure = (second: number): Sent =>
    at(second, { kind: 'error', payload: { error_type: 'test_failure', message: 'no' } });

  test.each([['edit'], ['sync']])('only ends and files: %s is what fixed the run', async (tool) => {
    const events = [run(2, PRINTED), failure(4), edited(10, tool), run(20), stop];
    expect(await recorded(events, 4)).toMatchObject({ fixed: { no: ['src/a.ts'] }, status: 'success' });
    const red = [run(2, PRINTED), failure(4), edited(10, tool), stop];
    expect(await recorded(red, 2)).toMatchObject({ fixed: { no: [] }, status: 'failed' });
  });

  test('a file that was only read fixed nothing', async () => {
    const events = [run(2, PRINTED), failure(4), edited(10, 'read_file'), run(20), stop];
    expect((await recorded(events)).fixed.no).toEqual([]);
  });

  test('another tool that fails is no failing verification', async () => {
    const events = [end(2, 'browser_click', { success: false, stderr: 'no such element' }), stop];
    expect((await recorded(events)).status).toBe('success');
  });
});

describe('how a task ended', () => {
  const ended = async (...events: readonly (readonly Sent[])[]) =>
    (await recorded([...events.flat(), stop])).status;

  test('failed where tests, a build, types or a lint are red at its end', async () => {
    for (const command of [RUN, 'npm run build', 'npx tsc --noEmit', 'npx eslint .'])
      expect(await ended(shell(2, command, { message: 'no' }), edit(10, 'a.ts')), command).toBe('failed');
  });

  test('by its verifications alone: other commands that fail count for nothing', async () => {
    for (const command of ['ls x', 'git push', 'npm install x', 'node server.js', 'grep -r x .'])
      expect(await ended(shell(2, command, { message: 'no' })), command).toBe('success');
    expect(await ended(shell(2, RUN, { message: 'no' }), shell(10, 'git status'))).toBe('failed');
  });

  test('a run that an error reports did not pass, whatever its end says', async () => {
    const again = [...shell(20, 'npm test | tail'), error(30, 20, 'still')];
    const { fixed, status } = await recorded(
      [...shell(2, 'npm test | tail', { message: 'no' }), ...edit(11, 'a.ts'), ...again, stop],
      4,
    );
    expect([fixed.no, status]).toEqual([[], 'failed']);
  });

  test('aborted where the session ended in an interrupted command', async () => {
    const [start, end] = shell(2, RUN);
    if (!start || !end) throw new Error('no events');
    const stopped = { ...end, payload: { ...end.payload, success: false, interrupted: true } };
    expect(await ended([start, stopped])).toBe('aborted');
    expect(await ended([start, stopped], shell(10, RUN))).toBe('success');
  });
});
