import { describe, expect, it } from 'vitest';
import { python } from '../../../source/languages/python/index.js';
import { createParser } from '../../../source/parser.js';
import { createPlaces, createProgram, moduleTable, resolvePath } from '../../../source/resolution/index.js';
import { resolved } from './resolved.js';

const parser = await createParser([python]);

/** Lines made one by one. */
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

/** Milliseconds of processor time that extracting and resolving one file takes. */
function cost(text: string): number {
  const start = process.cpuUsage();
  const tables = new Map([['a.py', moduleTable(parser.extractFile('a.py', text))]]);
  resolvePath(createProgram(tables, createPlaces(['a.py'], [])), 'a.py');
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** How much of a construct there is at first. */
const SIZE = 120;
/** Milliseconds below which a difference says nothing. */
const NOISE = 15;
const TRIES = 4;

describe('four times as much of one construct costs no more than a multiple of it:', () => {
  it.each(Object.entries(GENERATORS))(
    '%s',
    (_, generate) => {
      const [small, large] = [generate(SIZE), generate(4 * SIZE)];
      cost(small);
      const least = { small: Number.POSITIVE_INFINITY, large: Number.POSITIVE_INFINITY };
      // A square is 16 times as much, beside what is linear.
      const isFine = () => least.large < 9 * Math.max(least.small, NOISE);
      for (let tries = 0; tries < TRIES && !isFine(); tries++) {
        least.small = Math.min(least.small, cost(small));
        least.large = Math.min(least.large, cost(large));
      }
      expect(least).toSatisfy(isFine);
    },
    120_000,
  );
});

describe('what is too much to follow', () => {
  const found = (text: string) => {
    const tables = new Map([['a.py', moduleTable(parser.extractFile('a.py', text))]]);
    return resolvePath(createProgram(tables, createPlaces(['a.py'], [])), 'a.py');
  };

  it('is named, and the same each time', () => {
    const text = `${lines(80, (i) => `def g${i}(f, h):\n  f(h)\n  h(f)\n  return g${(i + 1) % 80}(h, f)`)}g0(g1, g2)\n`;
    const first = found(text);
    expect(first.problem).toMatchObject({ reason: 'too-many-steps' });
    // Names are still resolved: each function calls the next one.
    const known = first.resolution.references.filter(({ target }) => 'definition' in target);
    expect(known.length).toBeGreaterThan(80);
    expect(JSON.stringify(found(text))).toBe(JSON.stringify(first));
  }, 120_000);

  it('is no reason to fail: a file that cannot be resolved is told as that', () => {
    const table = moduleTable(parser.extractFile('a.py', 'def f(): pass\nf()\n'));
    const broken = {
      ...table,
      get members(): never {
        throw new RangeError('Maximum call stack size exceeded');
      },
    };
    const program = createProgram(new Map([['a.py', broken]]), createPlaces(['a.py'], []));
    const { resolution, problem } = resolvePath(program, 'a.py');
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
    const tables = new Map(texts.map(([path, text]) => [path, moduleTable(parser.extractFile(path, text))]));
    const { resolution, problem } = resolvePath(
      createProgram(tables, createPlaces([...tables.keys()], [])),
      'm0.py',
    );
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
