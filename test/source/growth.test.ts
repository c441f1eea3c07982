import { describe, expect, it } from 'vitest';
import { largeFiles } from '../../bench/lib/large-files.mjs';
import { largeProjects } from '../../bench/lib/large-projects.mjs';
import { LIMITS } from '../../schema/index.js';
import { languages } from '../../source/languages/index.js';
import { createParser } from '../../source/parser.js';
import { createPlaces, createProgram, moduleTable, resolvePath } from '../../source/resolution/index.js';
import { resolved } from './resolution/resolved.js';

/* Of each of these, four times as much once took sixteen times as long. `bench/growth*.mjs` has all constructs. */

const parser = await createParser(languages);
type Files = Readonly<Record<string, string>>;

function lines(count: number, line: (index: number) => string): string {
  return `${Array.from({ length: count }, (_, index) => line(index)).join('\n')}\n`;
}

/** Files of which each construct once cost the square or the cube of its number. */
const GENERATORS: Readonly<Record<string, (count: number) => string>> = {
  'a chain of classes, the last one first': (n) =>
    lines(n, (i) => `class C${i}(C${i + 1}):\n  def m(self): self.m()`),
  'a chain of classes with one method': (n) =>
    `class C0:\n  def m(self): pass\n${lines(n, (i) => `class C${i + 1}(C${i}):\n  def m(self): super().m()`)}`,
  'a circle of classes': (n) => lines(n, (i) => `class C${i}(C${(i + 1) % n}): pass`),
  'classes that extend both of the classes above': (n) =>
    lines(n, (i) => `class A${i + 1}(A${i}, B${i}): pass\nclass B${i + 1}(B${i}, A${i}): pass`),
  'functions of one name': (n) => lines(n, () => 'def f(): f()'),
  'classes of one name': (n) => lines(n, () => 'class A:\n  def m(self): A().m()'),
  'functions of one name in branches': (n) =>
    `${lines(n, () => 'if a:\n  def f(): pass')}${lines(n, () => 'f()')}`,
  'assignments to one name in branches': (n) =>
    `class A:\n  def go(self): pass\ndef f(x):\n${lines(n, () => '  if a:\n    x = A()\n  x.go()')}`,
  'assignments to one name in a loop': (n) =>
    `class A:\n  def go(self): pass\ndef f():\n  for y in z:\n${lines(n, () => '    x = A()\n    x.go()')}`,
  'a variable that each function assigns': (n) =>
    `x = None\n${lines(n, (i) => `def f${i}():\n  global x\n  x = f${i}\n  x()`)}`,
  'a field that each method assigns': (n) =>
    `class A:\n${lines(n, (i) => `  def m${i}(self, b):\n    self.x = b\n    self.x.go()\n    self.x()`)}`,
  'a dictionary that is filled and called': (n) =>
    `d = {}\n${lines(n, (i) => `def f${i}(): pass\nd["k${i}"] = f${i}\nd["k${i}"]()`)}`,
  'a function that each line calls with another one': (n) =>
    `def g(f):\n  f()\n${lines(n, (i) => `def h${i}(): pass\ng(h${i})`)}`,
  'generators behind generators': (n) =>
    lines(n, (i) => `def f${i + 1}():\n  for x in f${i}():\n    yield x\nfor x in f${i}(): x()`),
  'types in types': (n) =>
    `def f(x: ${'Optional['.repeat(n)}A${']'.repeat(n)}):\n${lines(n, () => '  x.go()')}`,
  'parameters of one function': (n) =>
    `def f(${Array.from({ length: n }, (_, i) => `a${i}`).join(', ')}):\n${lines(n, (i) => `  a${i}()`)}`,
  'stars of one module': (n) => `${lines(n, () => 'from .a import *')}${lines(n, (i) => `f${i}()`)}`,
  'a list of public names and a star for each': (n) =>
    `__all__ = [${Array.from({ length: n }, (_, i) => `"g${i}"`).join(', ')}]\n${lines(n, () => 'from .a import *')}`,
  'names that a file imports from itself in a chain': (n) =>
    `${lines(n, (i) => `from .a import a${i + 1} as a${i}`)}${lines(n, (i) => `a${i}()`)}`,
  'comments behind one body': (n) => `def f():\n  pass\n${lines(n, (i) => `  # TODO: ${i}`)}`,
  'comments behind definitions': (n) => lines(n, (i) => `def f${i}():\n  pass\n  # TODO: ${i}`),
};

/** Of `bench/lib/large-files.mjs`. */
const ONE_FILE = [
  'ts: functions of one name',
  'ts: variables of one name',
  'ts: interfaces of one name',
  'ts: overloads of a function',
  'ts: interfaces of one class',
  'ts: classes that extend the next',
  'ts: aliases that fork',
  'ts: locals asked for backwards',
  'ts: exports of one name from another',
  'ts: exports of one name from itself',
  'ts: imports of one name',
  'js: keys of module.exports',
  'vue: unknown components of a template',
  'py: functions of one name',
  'py: classes that extend the one before',
];

/** Of `bench/lib/large-projects.mjs`: files that name each other. */
const PROJECTS = [
  'ts: all of each other, mesh',
  'py: all of each other, mesh',
  'js: all of each other, ladder in a ring',
  'ts: mixins, ring',
  'py: one name, ring',
];

function named<T extends { readonly name: string }>(all: readonly T[], name: string): T {
  const found = all.find((one) => one.name === name);
  if (!found) throw new Error(`no generator is called ${name}`);
  return found;
}

const CONSTRUCTS: readonly (readonly [name: string, make: (count: number) => Files])[] = [
  ...Object.entries(GENERATORS).map(([name, text]) => [name, (n: number) => ({ 'a.py': text(n) })] as const),
  ...ONE_FILE.map((name) => {
    const { path, text } = named(largeFiles, name);
    return [name, (n: number) => ({ [path]: text(n) })] as const;
  }),
  ...PROJECTS.map((name) => [name, named(largeProjects, name).files] as const),
];

const SIZE = 130;
/** A square is 16 times as much, beside what is linear. */
const MOST = 9;
/** Milliseconds below which a difference says nothing. */
const NOISE = 10;
const TRIES = 4;

function programOf(files: Files) {
  const tables = Object.entries(files).map(
    ([path, text]) => [path, moduleTable(parser.extractFile(path, text))] as const,
  );
  return createProgram(new Map(tables), createPlaces(Object.keys(files), []));
}

/** Milliseconds of processor time that extracting and resolving all files takes: what a busy machine leaves alone. */
function cost(files: Files): number {
  const before = process.cpuUsage();
  const program = programOf(files);
  for (const path of Object.keys(files)) resolvePath(program, path);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('four times as much of one construct costs no more than a multiple of it:', () => {
  it.each(CONSTRUCTS)('%s', (_, make) => {
    const [small, large] = [make(SIZE), make(4 * SIZE)];
    cost(small);
    const least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
    const isFine = () => least.large < MOST * Math.max(least.small, NOISE);
    for (let tries = 0; tries < TRIES && !isFine(); tries++) {
      least.small = Math.min(least.small, cost(small));
      least.large = Math.min(least.large, cost(large));
    }
    expect(least).toSatisfy(isFine);
  });
});

it.each(['ts: all of each other, ring', 'py: all of each other, star both ways'])(
  'files that name each other rest on no more than is noted of any: %s',
  (name) => {
    const files = named(largeProjects, name).files(540);
    const program = programOf(files);
    const looked = Object.keys(files).map((path) => resolvePath(program, path).looked.length);
    expect(Math.max(...looked)).toBeLessThanOrEqual(LIMITS.lookups.max);
  },
);

describe('what is too much to follow', () => {
  const found = (text: string) => {
    return resolvePath(programOf({ 'a.py': text }), 'a.py');
  };

  it('is named, and the same each time', () => {
    const text = `${lines(80, (i) => `def g${i}(f, h):\n  f(h)\n  h(f)\n  return g${(i + 1) % 80}(h, f)`)}g0(g1, g2)\n`;
    const first = found(text);
    expect(first.problem).toMatchObject({ reason: 'too-many-steps' });
    // Names are still resolved: each function calls the next one.
    const known = first.resolution.references.filter(({ target }) => 'definition' in target);
    expect(known.length).toBeGreaterThan(80);
    expect(JSON.stringify(found(text))).toBe(JSON.stringify(first));
  });

  it('is no reason to fail: a file that cannot be resolved is told as that', () => {
    const table = moduleTable(parser.extractFile('a.ts', 'function f() {}\nf();\n'));
    const broken = {
      ...table,
      get members(): never {
        throw new RangeError('Maximum call stack size exceeded');
      },
    };
    const program = createProgram(new Map([['a.ts', broken]]), createPlaces(['a.ts'], []));
    const { resolution, problem } = resolvePath(program, 'a.ts');
    expect(problem).toMatchObject({
      reason: 'RESOLVE_FAILED',
      detail: expect.stringContaining('call stack'),
    });
    expect(resolution.references).toEqual([]);
  });

  it('is no chain of stars, however long: a name is found behind three thousand', () => {
    const texts = Array.from({ length: 3000 }, (_, i): [string, string] => [
      `m${i}.py`,
      i < 2999 ? `from m${i + 1} import *\nlast()\n` : 'def last(): pass\n',
    ]);
    const { resolution, problem } = resolvePath(programOf(Object.fromEntries(texts)), 'm0.py');
    expect(problem).toBeNull();
    const [call] = resolution.references.filter(({ target }) => 'definition' in target);
    expect(call?.target).toMatchObject({ file: 'm2999.py' });
  });

  it('leaves open what lies behind 128 classes, and nothing nearer', () => {
    const chain = `class C0:\n  def far(self): pass\n${lines(200, (i) => `class C${i + 1}(C${i}): pass`)}`;
    const text = `${chain}class N(C100): pass\nN().far()\nC200().far()\n`;
    const { uses } = resolved({ 'a.py': text });
    expect(uses('a.py', 'N().far()')).toEqual(['a.py C0.far (type)']);
    expect(uses('a.py', 'C200().far()')).toEqual(['?far']);
  });
});

describe('names behind a circle of stars', () => {
  const files = {
    'a.ts': "export * from './b';\nexport const own = 1;",
    'b.ts': "export * from './c';\nexport const one = 1;\nexport const hidden = 1;",
    'c.ts': "export * from './a';\nexport * from './d';\nexport const hidden = 2;",
    'd.ts': 'export const far = 1;\nexport const own = 2;',
    'use.ts': "import { own, one, hidden, far, none } from './a';\nown(), one(), hidden(), far(), none();",
  };
  const named = (path: string) => {
    const { resolution } = resolvePath(programOf(files), path);
    return resolution.references.map(({ target }) => ('definition' in target ? target.file : 'unresolved'));
  };

  it('are those of whoever offers them first', () => {
    expect(named('use.ts')).toEqual(['a.ts', 'b.ts', 'b.ts', 'd.ts', 'unresolved']);
  });
});
