import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Scratch } from './scratch.js';

const scratch = new Scratch();
afterAll(() => scratch.remove());

/** The code and the message that a failing command tells a program. */
async function failure(args: readonly string[]) {
  const { code, stdout, stderr } = await scratch.run([...args, '--json']);
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
  const { error, error_code, suggestion } = JSON.parse(stdout);
  expect(suggestion).not.toBe('');
  return `${error_code}: ${error}`;
}

describe('a root that is none', () => {
  it('does not exist', async () => {
    const missing = join(scratch.folder, 'missing');
    expect(await failure(['index', missing])).toBe(`INVALID_ROOT: The root "${missing}" does not exist.`);
  });

  it('is a file', async () => {
    const file = join(scratch.project, 'README.md');
    expect(await failure(['index', file])).toBe(`INVALID_ROOT: The root "${file}" is not a directory.`);
  });

  it('is the whole disk', async () => {
    expect(await failure(['index', '/'])).toMatch(/^ROOT_REFUSED: The root "\/"/);
    expect(await failure(['index', '/', '--list'])).toMatch(/^ROOT_REFUSED/);
  });

  it('is the home directory, unless it is forced', async () => {
    expect(await failure(['index', scratch.home])).toMatch(/^ROOT_REFUSED/);
    expect((await scratch.run(['index', scratch.home, '--force'])).code).toBe(0);
  });

  it('is given twice, differently', async () => {
    const { code, stderr } = await scratch.run(['stats', scratch.project, '--root', scratch.home]);
    expect(code).toBe(2);
    expect(stderr).toContain('error INVALID_INPUT: PATH is');
  });

  it('has no graph yet', async () => {
    expect(await failure(['stats'])).toMatch(/^PROJECT_NOT_INDEXED/);
  });
});

describe('a failure', () => {
  it('is a code, a message and a suggestion on stderr, never a stack trace', async () => {
    const { code, stdout, stderr } = await scratch.run(['index', join(scratch.folder, 'missing')]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/^error INVALID_ROOT: .+\nsuggestion: .+\n$/);
  });

  it('shows its stack where somebody looks for it', async () => {
    const env = { CODEWALK_DEBUG: '1' };
    const { stderr } = await scratch.run(['index', join(scratch.folder, 'missing')], { env });
    expect(stderr).toMatch(/\n {4}at /);
  });
});
