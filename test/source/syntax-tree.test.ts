import { describe, expect, it } from 'vitest';
import { languages } from '../../source/languages/index.js';
import { createParser } from '../../source/parser.js';

const parser = await createParser(languages);

describe('what is nested too deep to be read', () => {
  const CHAINS: Readonly<Record<string, (count: number) => readonly [string, string]>> = {
    'a sum in Go': (n) => ['a.go', `package p\n\nfunc f() int {\n\treturn ${'f() + '.repeat(n)}1\n}\n`],
    'calls in Java': (n) => [
      'A.java',
      `class A {\n  A a() {\n\n    return this${'.a()'.repeat(n)};\n  }\n}\n`,
    ],
  };

  it.each(Object.entries(CHAINS))('is told as an error on its line: %s', (_, chain) => {
    const short = parser.extractFile(...chain(100));
    expect(short.syntax_errors).toEqual([]);
    expect(short.references.length).toBeGreaterThanOrEqual(100);
    const long = parser.extractFile(...chain(1000));
    expect(long.references.length).toBeGreaterThan(150);
    expect(long.references.length).toBeLessThan(1000);
    expect(long.syntax_errors).toEqual([4]);
  });
});
