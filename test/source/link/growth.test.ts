import { describe, expect, it } from 'vitest';
import { languages } from '../../../source/languages/index.js';
import { substituted, type Type } from '../../../source/link/types.js';
import { createParser } from '../../../source/parser.js';
import { readManifests } from '../../../source/resolution/index.js';
import { resolved } from '../resolution/resolved.js';

const parser = await createParser(languages);

/* What once grew with a power of the length, counted or compared with half of it. */

describe('types in types', () => {
  /** A type of `depth` levels, each of which has the one below four times, and how often parts were asked for. */
  function read(depth: number): number {
    let count = 0;
    let type: Type = { kind: 'parameter', id: 'T', bound: null };
    for (let level = 0; level < depth; level += 1) {
      const args: readonly Type[] = [type, type, type, type];
      type = {
        kind: 'external',
        package: 'p',
        name: 'P',
        get args(): readonly Type[] {
          count += 1;
          return args;
        },
      };
    }
    substituted(type, new Map([['T', { kind: 'builtin', name: 'int' }]]));
    return count;
  }

  it('that are shared are made once', () => {
    expect(read(8)).toBeLessThan(4 * read(4));
  });

  it('are not known where they have too many parts', () => {
    const base: Type = { kind: 'parameter', id: 'T', bound: null };
    const grown = (one: Type): Type => ({ kind: 'tuple', parts: Array.from({ length: 8 }, () => one) });
    const text: Type = { kind: 'builtin', name: 'string' };
    const small = substituted(grown(grown(base)), new Map([['T', text]]));
    expect(small).toEqual(grown(grown(text)));
    expect(substituted({ kind: 'list', of: grown(grown(base)) }, new Map([['T', small]]))).toEqual({
      kind: 'list',
      of: grown({ kind: 'unknown' }),
    });
  });

  it('that bases repeat come to an end, and the methods of bases are found', () => {
    const names = Array.from({ length: 8 }, (_, at) => `X${at}`);
    const levels = Array.from(
      { length: 10 },
      (_, at) => `class A${at}<T> extends A${at + 1}<P<${names.map(() => 'T').join()}>> {}`,
    );
    const text = `package p;\nclass P<${names.join()}> {}\n${levels.join('\n')}\nclass A10<T> { void m(T t) {} T get() { return null; } }\nclass Use { void f(A0<String> a) { a.m(null); a.get(); } }\n`;
    const path = 'src/main/java/p/A.java';
    expect(resolved({ [path]: text }).uses(path, 'a.get()')).toEqual([`${path} A10.get (type)`]);
  });
});

/** Milliseconds of processor time below which a difference says nothing. */
const NOISE = 10;

function cost(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Compares a size with four times as much, of which a square is 16 times as much. */
function isLinear(size: number, run: (text: string) => unknown, text: (count: number) => string): boolean {
  const [small, large] = [text(size), text(4 * size)];
  const least = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY] as [number, number];
  const isFine = () => least[1] < 9 * Math.max(least[0], NOISE);
  for (let tries = 0; tries < 4 && !isFine(); tries += 1) {
    least[0] = Math.min(
      least[0],
      cost(() => run(small)),
    );
    least[1] = Math.min(
      least[1],
      cost(() => run(large)),
    );
  }
  return isFine();
}

describe('four times as much costs no more than a multiple of it:', () => {
  const lines = (count: number, line: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => line(at)).join('\n');

  it('elements of a pom.xml that nothing closes', () => {
    const read = (text: string) => readManifests([{ path: 'pom.xml', text }]);
    expect(isLinear(15_000, read, (n) => `${'<a>'.repeat(n)}${'</b>'.repeat(n)}`)).toBe(true);
  });

  it('calls that may register routes, on fields', () => {
    const extract = (text: string) => parser.extractFile('a.go', text);
    const text = (n: number) =>
      `package p\nimport "net/http"\ntype S struct { r int }\nvar s S\n${lines(n, (at) => `var v${at} int`)}\nfunc f() {\n${lines(n, () => '\ts.x.Handle("/a", h)')}\n}\n`;
    expect(isLinear(1_000, extract, text)).toBe(true);
  });

  it('comments above a declaration of many', () => {
    const extract = (text: string) => parser.extractFile('A.java', text);
    const text = (n: number) =>
      `class A {\n${lines(n, (at) => `// ${at}`)}\nint ${Array.from({ length: n }, (_, at) => `a${at}`).join()};\n}\n`;
    expect(isLinear(700, extract, text)).toBe(true);
  });
});
