import { expect, test } from 'vitest';
import { isWider, namesTest, simpleCommands, testRunOf } from '../../walkers/trace/test-run.js';
import { after, at, ordersOf, type Sent } from './sent-events.js';

const lines = (text: string) => text.split('\n').map((line) => JSON.parse(line));

/** A use of the shell: its start, its end, and the error that tells of it; three seconds. */
const shell = (second: number, command: string, failed?: Record<string, unknown>): Sent[] => {
  const use = { tool_id: `c${second}` };
  const tool_name = 'Bash';
  return [
    at(second, { kind: 'tool_start', payload: { tool_name, params_json: { command } }, ...use }),
    at(second + 1, { kind: 'tool_end', payload: { tool_name, success: failed === undefined }, ...use }),
    ...(failed
      ? [at(second + 2, { kind: 'error', payload: { error_type: 'test_failure', ...failed }, ...use })]
      : []),
  ];
};
const edit = (second: number, path: string, success = true): Sent[] => {
  const use = { tool_id: `c${second}` };
  const params_json = { file_path: `/p/${path}`, old_string: 'a', new_string: 'b' };
  const role = 'editing';
  return [
    at(second, {
      kind: 'tool_start',
      payload: { tool_name: 'Edit', role, params_json, files_touched: [path] },
      ...use,
    }),
    at(second + 1, { kind: 'tool_end', payload: { tool_name: 'Edit', role, success }, ...use }),
    ...(success
      ? []
      : [
          at(second + 2, {
            kind: 'error',
            payload: { error_type: 'tool_error', message: 'not found' },
            ...use,
          }),
        ]),
  ];
};
const step = (second: number, llm_summary: string): Sent =>
  at(second, { kind: 'step', payload: { order: second, llm_summary } });
const stop = at(99, { kind: 'task_end', payload: { status: 'ended' } });

/** The messages of errors with the summaries of the steps that resolved them, and how the task ended. */
async function resolvedOf(events: readonly Sent[], orders = 1): Promise<[string[], string]> {
  const inOrder = await after(events);
  for (const other of ordersOf(events, orders)) expect(await after(other)).toBe(inOrder);
  const kept = lines(inOrder);
  const named = new Map(kept.map((line) => [line.id, line.message ?? line.llm_summary]));
  const edges = kept.filter(({ kind }) => kind === 'RESOLVED_BY');
  expect(edges.every(({ derived }) => derived === true)).toBe(true);
  const task = kept.find(({ kind }) => kind === 'Task');
  return [edges.map(({ from, to }) => `${named.get(from)}: ${named.get(to)}`).sort(), task.status];
}

const ADDS = 'test/cart.test.ts > cart > adds';
const PAYS = 'test/till.test.ts > pays';

test('a failure is resolved by the step that last changed something before the same command passed', async () => {
  const events = [
    step(1, 'looked'),
    ...shell(2, 'npm  test', { message: 'first', tests: [ADDS] }),
    step(10, 'tried'),
    ...edit(11, 'src/tax.ts'),
    ...edit(14, 'src/cart.ts', false),
    ...shell(20, 'npm test', { message: 'second', tests: [ADDS] }),
    step(30, 'mended'),
    ...edit(31, 'src/cart.ts'),
    step(40, 'tried it out'),
    ...shell(41, 'git status'),
    ...shell(50, ' npm test\n'),
    stop,
  ];
  expect(await resolvedOf(events, 5)).toEqual([
    ['first: mended', 'not found: mended', 'second: mended'],
    'success',
  ]);
});

test('a run that covers a test resolves it; one that does not, or that only went well again, does not', async () => {
  const failed = shell(2, 'npx vitest run', { message: 'no', tests: [ADDS] });
  const mended = [...failed, step(10, 'mended'), ...edit(11, 'src/cart.ts')];
  const after = (...commands: readonly string[]) =>
    resolvedOf([...mended, ...commands.flatMap((command, i) => shell(20 + 4 * i, command)), stop]);
  const yes = [['no: mended'], 'success'];
  const no = [[], 'failed'];
  expect(await after('npx vitest run test/cart.test.ts')).toEqual(yes);
  expect(await after('timeout 60 npx vitest run --reporter=dot 2>&1 | tail -5')).toEqual(yes);
  expect(await after('npx vitest run -t adds')).toEqual(yes);
  expect(await after('npm test -- test/cart.test.ts')).toEqual(yes);
  expect(
    await after('npx vitest run test/till.test.ts', 'npx tsc', 'pytest', 'cd web && npx vitest run'),
  ).toEqual(no);
  expect(await after('npx vitest run; echo done')).toEqual(no);
  expect(await resolvedOf([...failed, ...shell(20, 'npx vitest run'), stop])).toEqual([[], 'success']);
  const installed = [step(10, 'installed'), ...shell(11, 'npm install'), step(19, 'ran')];
  expect(await resolvedOf([...failed, ...installed, ...shell(20, 'npx vitest run'), stop])).toEqual([
    ['no: installed'],
    'success',
  ]);
  const two = shell(2, 'npx vitest run', { message: 'two', tests: [ADDS, PAYS] });
  const one = shell(20, 'npx vitest run test/cart.test.ts');
  expect(await resolvedOf([...two, ...edit(11, 'a.ts'), ...one, stop])).toEqual(no);
});

test('a run of which an error tells did not go well, whatever its end says', async () => {
  const use = { tool_id: 'c20' };
  const error = at(30, { kind: 'error', payload: { error_type: 'test_failure', message: 'still' }, ...use });
  const events = [
    ...shell(2, 'npm test | tail', { message: 'no' }),
    ...edit(11, 'a.ts'),
    ...shell(20, 'npm test | tail'),
    error,
    stop,
  ];
  expect(await resolvedOf(events, 4)).toEqual([[], 'failed']);
});

test('a run whose exit code a pipe hides passed only if what it printed tells of no failure', async () => {
  const command = 'npx vitest run 2>&1 | tail -5';
  const again = (stdout: string): Sent[] => {
    const [start, end] = shell(20, command);
    return start && end ? [start, { ...end, payload: { ...end.payload, stdout } }] : [];
  };
  const failed = [...shell(2, 'npx vitest run', { message: 'no', tests: [ADDS] }), step(10, 'mended')];
  const events = [...failed, ...edit(11, 'src/cart.ts'), stop];
  expect(await resolvedOf([...events, ...again(' Tests  1 failed | 3 passed (4)')], 4)).toEqual([
    [],
    'failed',
  ]);
  expect(await resolvedOf([...events, ...again(' Tests  4 passed (4)')])).toEqual([
    ['no: mended'],
    'success',
  ]);
});

test('nobody fails who looked for what is not there', async () => {
  const role = 'reading';
  const events = [
    at(1, {
      kind: 'tool_start',
      payload: { tool_name: 'Bash', role, params_json: { command: 'ls x' } },
      tool_id: 'a',
    }),
    at(2, { kind: 'tool_end', payload: { tool_name: 'Bash', success: false }, tool_id: 'a' }),
    stop,
  ];
  expect(await resolvedOf(events)).toEqual([[], 'success']);
  expect(await resolvedOf([...events, ...shell(20, 'npm run build', { message: 'no' })])).toEqual([
    [],
    'failed',
  ]);
});

test('a line of shell comes apart as a shell takes it', () => {
  expect(simpleCommands(`cd 'a b' && X=1 npx jest "c d" 2>&1 > out.txt | tail -n 5; echo "x && y"`)).toEqual([
    { words: ['cd', 'a b'], then: '&&' },
    { words: ['X=1', 'npx', 'jest', 'c d'], then: '|' },
    { words: ['tail', '-n', '5'], then: ';' },
    { words: ['echo', 'x && y'], then: '' },
  ]);
});

test.each([
  ['npx vitest run', 'npx vitest run test/a.test.ts', true],
  ['vitest run test', 'vitest run test/a.test.ts', true],
  ['vitest run test/a.test.ts', 'vitest run', false],
  ['python -m pytest -q tests', 'pytest tests/test_a.py::test_b', true],
  ['pytest -m fast', 'pytest', false],
  ['go test ./...', 'go test ./cart -run TestAdds', true],
  ['cargo test', 'cargo test adds', true],
  ['cargo test adds', 'cargo test', false],
  ['npm test', 'npm run test:unit', false],
  ['yarn test', 'yarn run test', true],
  ['cd a && npm test', 'npm test', false],
  ['npm test || true', 'npm test', false],
])('%s covers %s: %s', (wide, narrow, covers) => {
  const [one, other] = [testRunOf(wide), testRunOf(narrow)];
  expect(one !== null && other !== null && isWider(one, other)).toBe(covers);
});

test.each([
  ['pytest tests/test_a.py', 'tests/test_a.py::TestX::test_b', true],
  ['pytest tests/test_a.py::TestX', 'tests/test_a.py::TestX::test_b[1]', true],
  ['pytest tests/test_ab.py', 'tests/test_a.py::test_b', false],
  ['pytest tests/test_a.py -k other', 'tests/test_a.py::test_b', false],
  ['npx jest /project/test/a.test.js', 'test/a.test.js > adds', true],
  ['node --test --test-name-pattern=adds', 'cart adds', true],
  ['node --test test/a.test.js', 'adds', false],
  ['npx jest --changedSince main test/a.test.js', 'test/a.test.js > adds', false],
])('%s names %s: %s', (command, name, names) => {
  const run = testRunOf(command);
  expect(run !== null && namesTest(run, name, run)).toBe(names);
});
