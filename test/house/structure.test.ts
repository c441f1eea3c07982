import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { houseFiles } from './sources.js';

/**
 * How large each package may be, in lines, and in how many identifiers it may have words of the glossary's left column. A
 * figure is lowered when the package gets smaller, and never raised without a reason in the commit's message.
 */
const MOST: Readonly<Record<string, { readonly lines: number; readonly words: number }>> = {
  cli: { lines: 3_360, words: 2 },
  cypher: { lines: 11_900, words: 67 },
  failures: { lines: 1_900, words: 0 },
  graphs: { lines: 16_350, words: 4 },
  hooks: { lines: 3_800, words: 1 },
  host: { lines: 9_700, words: 5 },
  mcp: { lines: 760, words: 0 },
  present: { lines: 1_055, words: 0 },
  runtime: { lines: 5_550, words: 35 },
  schema: { lines: 3_560, words: 3 },
  search: { lines: 2_700, words: 41 },
  source: { lines: 59_520, words: 223 },
  storage: { lines: 8_550, words: 117 },
  web: { lines: 2_600, words: 0 },
  walkers: { lines: 16_300, words: 6 },
};
/** Packages that have import cycles still, with how many files are in them: the engine's, which are rebuilt next. */
const IN_CYCLES: Readonly<Record<string, number>> = { cypher: 19, runtime: 5, source: 35 };
/** The glossary's left column: words of our own where the field has a term. */
const OWN_WORDS =
  /^(?:told|tells|telling|kept|mend|mends|mended|mending|anew|besides?|alike|whoever|sought|meant|deed|twins?|hub|lane|ledger|shelf|worths|patience)$/iu;

const FILES = houseFiles().filter(({ room }) => room !== '');
const packageOf = (path: string) => path.split('/', 1)[0] ?? '';

/** The words of the identifiers in a file, those of strings left out. */
function ownWords(code: string): number {
  const bare = code.replace(/'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/gu, ' ');
  const words = bare.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/u);
  return words.filter((word) => OWN_WORDS.test(word)).length;
}

/** The files that import each other in a circle, types included: those that reach themselves. */
function inCycles(): string[] {
  const paths = new Set(FILES.map(({ path }) => path));
  const imports = new Map(
    FILES.map(({ path, imports }) => [
      path,
      imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => posix.join(posix.dirname(path), specifier).replace(/\.js$/u, '.ts'))
        .filter((target) => target !== path && paths.has(target)),
    ]),
  );
  const reachedFrom = (start: string) => {
    const reached = new Set<string>();
    const queue = [...(imports.get(start) ?? [])];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (reached.has(path)) continue;
      reached.add(path);
      queue.push(...(imports.get(path) ?? []));
    }
    return reached;
  };
  return [...paths].filter((path) => reachedFrom(path).has(path));
}

/** Sums by package, of packages that have any. */
function byPackage(counts: readonly (readonly [string, number])[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [path, count] of counts)
    if (count > 0) sums[packageOf(path)] = (sums[packageOf(path)] ?? 0) + count;
  return sums;
}

describe('packages', () => {
  it('are listed, each with its limits', () => {
    expect([...new Set(FILES.map(({ path }) => packageOf(path)))].sort()).toEqual(Object.keys(MOST).sort());
  });

  it('have no more lines than they may', () => {
    const lines = byPackage(FILES.map(({ path, text }) => [path, text.split('\n').length - 1]));
    const over = Object.entries(lines).filter(([name, count]) => count > (MOST[name]?.lines ?? 0));
    expect(over).toEqual([]);
  });

  it('say the terms of the field, but for the words that are left', () => {
    const words = byPackage(FILES.map(({ path, code }) => [path, ownWords(code)]));
    const over = Object.entries(words).filter(([name, count]) => count > (MOST[name]?.words ?? 0));
    expect(over).toEqual([]);
  });

  it('import in no circle, but for those that are left', () => {
    expect(byPackage(inCycles().map((path) => [path, 1]))).toEqual(IN_CYCLES);
  });
});
