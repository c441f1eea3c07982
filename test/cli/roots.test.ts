import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('a path that is typed', () => {
  const project = scratch.write('places', {
    'index.ts': 'export const top = 1;\n',
    'a/src/index.ts': 'export function one() {\n  return 1;\n}\n',
    'b/src/index.ts':
      "import { one } from '../../a/src/index.js';\nexport function two() {\n  return one();\n}\n",
  });

  beforeAll(async () => {
    await scratch.run(['index', '--quiet'], { cwd: project });
  });
  const asked = async (folder: string, ...args: string[]) => {
    const { code, stdout, stderr } = await scratch.run(args, { cwd: join(project, folder) });
    return { code, said: stdout + stderr };
  };

  it('a name that is a path is relative to where the user stands', async () => {
    expect((await asked('a', 'exports', 'src/index.ts')).said).toContain('- one ');
    expect((await asked('b', 'exports', './src/index.ts')).said).toContain('- two ');
    expect((await asked('b', 'exports', '../a/src/index.ts')).said).toContain('- one ');
    expect((await asked('a', 'callers', 'src/index.ts:1', '--json')).said).toContain('b/src/index.ts');
  });

  it('a path that only the root has is taken from there, a name from anywhere', async () => {
    expect((await asked('b', 'exports', 'a/src/index.ts')).said).toContain('- one ');
    expect((await asked('b', 'callers', 'one')).said).toContain('- two ');
  });

  it('a path that leads out of the root leads nowhere', async () => {
    const { code, said } = await asked('a', 'exports', '../../elsewhere.ts');
    expect(code).toBe(1);
    expect(said).toMatch(/NODE_NOT_FOUND|PATH_OUTSIDE_ROOT/);
  });

  it('a scope is a folder from where the user stands', async () => {
    expect((await asked('b', 'callers', 'one', '--scope', './src')).said).toContain('1 caller');
    expect((await asked('a', 'callers', 'one', '--scope', './src')).said).toContain('none are known');
  });
});
