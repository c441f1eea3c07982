import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type Failure, failureOf } from '../../hooks/failures/index.js';
import type { Call, Outcome } from '../../hooks/told.js';

const OUTPUTS = fileURLToPath(new URL('outputs', import.meta.url));
const LISTING = fileURLToPath(new URL('failures.txt', import.meta.url));

const CALL: Call = {
  id: 'call-1',
  tool: 'run_shell_command',
  doing: 'shell',
  params: null,
  command: 'npm test',
  files: [],
  cwd: '/project',
  edits: [],
};

function failed(printed: Partial<Outcome>, call: Partial<Call> = {}): Failure {
  const nothing = { stdout: '', stderr: '', exitCode: 1, durationMs: null, startedAt: null, lines: [] };
  const outcome = { ...nothing, success: false, interrupted: false, content: null, ...printed };
  return failureOf({ ...CALL, ...call }, outcome);
}

function shown(file: string): string {
  const { errorType, message, tests, files, excerpt } = failed({ stdout: readFileSync(file, 'utf8') });
  return [
    `${basename(file, '.txt')}: ${errorType}`,
    `  ${message}`,
    ...tests.map((test) => `  test ${test}`),
    ...files.map((path) => `  file ${path}`),
    `  from ${excerpt.split('\n')[0] ?? ''}\n`,
  ].join('\n');
}

/*
 * What runners and compilers printed in a folder `/project`, in `outputs/`, and beside it, in `failures.txt`, what is
 * told of it. All were run but those of Go and eslint, written after their sources. After a change:
 * UPDATE_GOLDEN=1 npx vitest run test/hooks/failures.test.ts, and read the difference.
 */
it('failures are told as the listing says', () => {
  const names = readdirSync(OUTPUTS).sort();
  const listing = names.map((name) => shown(join(OUTPUTS, name))).join('\n');
  if (process.env.UPDATE_GOLDEN) writeFileSync(LISTING, listing);
  expect(listing).toBe(readFileSync(LISTING, 'utf8'));
});

describe('a failure', () => {
  it('is told the same on another machine', () => {
    const tap = readFileSync(join(OUTPUTS, 'node-test-tap.txt'), 'utf8');
    const elsewhere = tap
      .replaceAll('/project/', '/home/ada/my shop/')
      .replaceAll('file:///home/ada/my shop', 'file:///home/ada/my%20shop');
    const there = failed({ stdout: elsewhere }, { cwd: '/home/ada/my shop' });
    expect(there.message).toBe(failed({ stdout: tap }).message);
    expect(there.tests).toEqual(failed({ stdout: tap }).tests);
    expect(there.files[0]).toBe('/home/ada/my shop/a.test.mjs');
  });

  it('of a tool is its first sentence', () => {
    const said =
      'Failed to edit, 0 occurrences found for old_string in /project/src/a.ts. No edits made. Use read_file.';
    const failure = failed({ stderr: said, exitCode: null }, { doing: 'edit', command: null });
    expect(failure.errorType).toBe('tool_error');
    expect(failure.message).toBe('Failed to edit, 0 occurrences found for old_string in src/a.ts.');
  });

  it('of a command that printed nothing is its exit code', () => {
    expect(failed({ exitCode: 3 }, { command: 'sh  build.sh' }).message).toBe('sh build.sh: exit code 3');
  });

  it('is found in colours, and between megabytes of other output', () => {
    const line = '\u001b[31mFAILED\u001b[0m tests/test_a.py::test_a - KeyError: 1\n';
    const failure = failed({ stdout: `${'.'.repeat(3_000_000)}\n${line}1 failed in 0.1s\n` });
    expect(failure.tests).toEqual(['tests/test_a.py::test_a']);
    expect(failure.message).toBe('tests/test_a.py::test_a: KeyError: 1');
  });

  it('keeps a parameter of a test that holds a dash', () => {
    const { tests, message } = failed({ stdout: 'FAILED a.py::test_x[1 - 2] - ValueError: a - b\n' });
    expect(tests).toEqual(['a.py::test_x[1 - 2]']);
    expect(message).toBe('a.py::test_x[1 - 2]: ValueError: a - b');
  });
});
