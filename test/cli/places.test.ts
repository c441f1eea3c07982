import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scratch } from './scratch.js';

const scratch = new Scratch();
const project = scratch.write('places', {
  'index.ts': 'export const top = 1;\n',
  'a/src/index.ts': 'export function one() {\n  return 1;\n}\n',
  'b/src/index.ts':
    "import { one } from '../../a/src/index.js';\nexport function two() {\n  return one();\n}\n",
});

beforeAll(async () => {
  await scratch.run(['index', '--quiet'], { cwd: project });
});
afterAll(() => scratch.remove());

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
