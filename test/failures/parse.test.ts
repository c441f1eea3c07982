import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  failureOfError,
  isAgentSlip,
  type ParseOptions,
  parseOutput,
  showsFailure,
} from '../../failures/index.js';

const OUTPUTS = fileURLToPath(new URL('outputs', import.meta.url));
const LISTING = fileURLToPath(new URL('failures.txt', import.meta.url));
const NAMES = readdirSync(OUTPUTS)
  .map((name) => basename(name, '.txt'))
  .sort();

const read = (name: string) => readFileSync(join(OUTPUTS, `${name}.txt`), 'utf8');
const parsed = (output: string, options: Partial<ParseOptions> = {}) =>
  parseOutput(output, { command: 'npm test', cwd: '/project', isShell: true, exitCode: 1, ...options });
const failureIn = (output: string, options: Partial<ParseOptions> = {}) => parsed(output, options).failure;

function shown(name: string): string {
  const { failure, excerpt } = parsed(read(name));
  const { tool, type, reason, tests, reasons, frames, counts, stopped } = failure;
  const placed = ({ file, line }: (typeof frames)[number]) => (line === null ? file : `${file}:${line}`);
  const counted = counts === null ? [] : [`  counts ${counts.failed} failed, ${counts.passed} passed`];
  return [
    `${name}: ${tool} ${type}${stopped ? ', stopped' : ''}`,
    `  ${reason}`,
    ...tests.flatMap((test) => [
      `  test ${test.name} in ${test.file}`,
      `    ${test.reason}`,
      ...(test.frames.length === 0 ? [] : [`    at ${test.frames.map(placed).join(', ')}`]),
    ]),
    ...reasons.map((text) => `  reason ${text}`),
    ...(frames.length === 0 ? [] : [`  at ${frames.map(placed).join(', ')}`]),
    ...counted,
    `  from ${excerpt.split('\n')[0] ?? ''}\n`,
  ].join('\n');
}

/*
 * What runners and compilers printed in a folder `/project`, in `outputs/`, and in `failures.txt` what is parsed from
 * it. After a change: UPDATE_GOLDEN=1 npx vitest run test/failures/parse.test.ts, and read the difference.
 */
it('outputs are parsed as the listing says', () => {
  const listing = NAMES.map((name) => shown(name)).join('\n');
  if (process.env.UPDATE_GOLDEN) writeFileSync(LISTING, listing);
  expect(listing).toBe(readFileSync(LISTING, 'utf8'));
});

describe('a failure', () => {
  it('is the same on another machine', () => {
    const tap = read('node-test-tap');
    const elsewhere = tap
      .replaceAll('/project/', '/home/ada/my shop/')
      .replaceAll('file:///home/ada/my shop', 'file:///home/ada/my%20shop');
    expect(failureIn(elsewhere, { cwd: '/home/ada/my shop' })).toEqual(failureIn(tap));
  });

  it('of a tool is its first sentence', () => {
    const text =
      'Failed to edit, 0 occurrences found for old_string in /project/src/a.ts. No edits made. Use read_file.';
    const failure = failureIn(text, { isShell: false, command: 'edit', exitCode: null });
    expect(failure.type).toBe('tool_error');
    expect(failure.reason).toBe('Failed to edit, 0 occurrences found for old_string in src/a.ts.');
  });

  it('of a command that printed nothing is its exit code', () => {
    expect(failureIn('', { command: 'sh  build.sh', exitCode: 3 }).reason).toBe('sh build.sh: exit code 3');
  });

  it('of node:test is the same in TAP and by the spec reporter', () => {
    const reasons = (name: string) => failureIn(read(name)).tests.map(({ reason }) => reason);
    expect(reasons('node-test-tap')).toEqual(reasons('node-test-spec'));
  });

  it('of unittest is read below the first line of its description', () => {
    const described = read('unittest').replace(/(\(ut\.T\.test_login\))/u, '$1\nA user can log in.');
    expect(failureIn(described)).toEqual(failureIn(read('unittest')));
  });

  it('is found in colours, and between megabytes of other output', () => {
    const line = '\u001b[31mFAILED\u001b[0m tests/test_a.py::test_a - KeyError: 1\n';
    const failure = failureIn(`${'.'.repeat(3_000_000)}\n${line}1 failed in 0.1s\n`);
    expect(failure.tests.map(({ name, reason }) => [name, reason])).toEqual([
      ['tests/test_a.py::test_a', 'KeyError: 1'],
    ]);
    expect(failure.reason).toBe('tests/test_a.py::test_a: KeyError: 1');
  });

  it('keeps a parameter of a test that holds a dash', () => {
    const { tests, reason } = failureIn('FAILED a.py::test_x[1 - 2] - ValueError: a - b\n');
    expect(tests.map(({ name }) => name)).toEqual(['a.py::test_x[1 - 2]']);
    expect(reason).toBe('a.py::test_x[1 - 2]: ValueError: a - b');
  });

  it('that a client logged in its own words keeps its message and tests', () => {
    const logged = {
      error_type: 'test_failure',
      message: 'sums are wrong',
      tests: ['a.test.ts > cart > sums', 'x'],
    } as const;
    const failure = failureOfError({ ...logged, raw_log_excerpt: read('vitest') });
    expect(failure.reason).toBe('sums are wrong');
    expect(failure.tests.map(({ name, reason }) => [name, reason])).toEqual([
      ['a.test.ts > cart > sums', 'AssertionError: expected [ 1, 2 ] to deeply equal [ 1, 3 ]'],
      ['x', null],
    ]);
  });

  it('that a client logged pairs a test with the excerpt in any spelling, and with a message that names it', () => {
    const logged = {
      error_type: 'test_failure',
      message: 'x: boom',
      raw_log_excerpt: read('pytest'),
    } as const;
    const { tests } = failureOfError({ ...logged, tests: ['test_ok', 'x', 'y'] });
    expect(tests.map(({ name, file, reason }) => [name, file, reason])).toEqual([
      ['test_ok', 'test_auth.py', "AssertionError: assert 'a' == 'b'"],
      ['x', null, 'boom'],
      ['y', null, null],
    ]);
    expect(failureOfError({ ...logged, message: read('tsc'), raw_log_excerpt: '', tests: [] }).reason).toBe(
      "a.ts:1:7: TS2322: Type 'string' is not assignable to type 'number'.",
    );
  });

  it('is shown by an output whatever its exit code', () => {
    for (const output of [read('vitest'), read('tsc'), ' Tests  1 failed | 3 passed (4)', '2 failed in 0.1s'])
      expect(showsFailure(output), output).toBe(true);
    for (const output of [
      '',
      ' Tests  4 passed (4)',
      '4 passed in 0.1s',
      'ok 1 - x\n# fail 0',
      'Found 0 errors.',
    ])
      expect(showsFailure(output), output).toBe(false);
  });
});

describe("an agent's own slip", () => {
  it.each([
    "Exit code 1\nThe user doesn't want to proceed with this tool use. The tool use was rejected",
    '<tool_use_error>InputValidationError: Bash failed due to the following issue',
    'Error: No such tool available: Shell',
  ])('is known by its words: %s', (text) => {
    expect(isAgentSlip(text, true)).toBe(true);
    expect(isAgentSlip(failureIn(text), true)).toBe(true);
  });

  it('is every failed edit or read that shows no failing tests, and no failing command', () => {
    expect(isAgentSlip('EACCES: permission denied', false)).toBe(true);
    expect(isAgentSlip(`String to replace not found in file:\n${read('pytest')}`, false)).toBe(true);
    for (const output of [read('vitest'), read('pytest'), read('go-test')]) {
      expect(isAgentSlip(output, false)).toBe(false);
      const failure = failureIn(output, { isShell: false });
      expect(failure).toEqual(failureIn(output));
      expect(isAgentSlip(failure, false)).toBe(false);
    }
    for (const name of NAMES) expect(isAgentSlip(failureIn(read(name)), true), name).toBe(false);
  });
});
