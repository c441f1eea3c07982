import { describe, expect, test } from 'vitest';
import { didYouMean, nearestFirst, suggestedPaths } from '../../present/index.js';
import { contextOf, indexed } from './project.js';

const PATHS = [
  'README.md',
  'package.json',
  'src/auth.ts',
  'src/b.ts',
  'src/flask/cli.py',
  'src/flask/sessions.py',
  'src/index.ts',
  'src/router/index.ts',
  'test/router/index.ts',
  'uv.lock',
];

describe('a path that is not there may have meant', () => {
  const cases: [what: string, wanted: string, suggested: string[]][] = [
    ['the same path in another case', 'SRC/Auth.ts', ['src/auth.ts']],
    ['the only path that ends with it', 'flask/sessions.py', ['src/flask/sessions.py']],
    ['one of several that end with it', 'router/index.ts', ['src/router/index.ts', 'test/router/index.ts']],
    ['the file of that name elsewhere', 'lib/sessions.py', ['src/flask/sessions.py']],
    ['a file whose name was mistyped', 'src/auht.ts', ['src/auth.ts']],
    ['a file in a folder that was mistyped', 'scr/auht.ts', ['src/auth.ts']],
    ['a short name with one letter too many', 'src/bb.ts', ['src/b.ts']],
    ['nothing, when only the folder is the same', 'src/flask/nope.py', []],
    ['nothing, when only a letter is', 'nope.py', []],
    ['nothing of another extension', 'src/auth.py', []],
    ['nothing, when nothing of one letter is left', 'src/e.ts', []],
  ];
  for (const [what, wanted, suggested] of cases)
    test(`${what}: '${wanted}'`, () => expect(suggestedPaths(wanted, PATHS)).toEqual(suggested));

  test('of many, the three nearest', () => {
    const many = Array.from({ length: 9 }, (_, i) => `p${i}/${'x'.repeat(i)}/index.ts`);
    expect(suggestedPaths('index.ts', many)).toEqual(['p0//index.ts', 'p1/x/index.ts', 'p2/xx/index.ts']);
  });
});

test('of names that are alike the one comes first that fewest letters tell from what was written', () => {
  const names = ['A.getCookies', 'B.setCookies', 'setCookie', 'SetCookie', 'C.setCookie'];
  const last = (name: string) => name.slice(name.lastIndexOf('.') + 1);
  expect(nearestFirst('setCokie', names, last)).toEqual([
    'setCookie',
    'C.setCookie',
    'SetCookie',
    'B.setCookies',
    'A.getCookies',
  ]);
});

test('suggestions are a question, and none is no question', () => {
  expect(didYouMean(['a', 'b'])).toBe("Did you mean 'a' or 'b'? ");
  expect(didYouMean([])).toBe('');
});

test('a context of a file that nothing resembles suggests no other file', async () => {
  const { graph } = await indexed({ 'uv.lock': '', 'src/sessions.py': '' });
  const run = (path: string) => contextOf(graph, [path]);
  await expect(run('nope.py')).rejects.toMatchObject({
    suggestion: expect.not.stringContaining('Did you mean'),
  });
  await expect(run('sessions.py')).rejects.toMatchObject({
    code: 'NODE_NOT_FOUND',
    suggestion: expect.stringContaining("Did you mean 'src/sessions.py'?"),
  });
});
