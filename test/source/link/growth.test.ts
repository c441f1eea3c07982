import { describe, expect, it } from 'vitest';
import { substituted, type Type } from '../../../source/link/types.js';
import { resolved } from '../resolution/resolved.js';

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
