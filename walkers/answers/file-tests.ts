import { compareText, type EdgeRef, type ReadContext } from '../../runtime/index.js';
import { FileContainsSymbol, fileId, grouped, parseId, SymbolTestsSymbol } from '../../schema/index.js';
import { isTestPath } from '../../source/index.js';
import type { OutsideCall } from './file-callers.js';
import type { Focus } from './file-focus.js';
import { quoted } from './shown-record.js';

/** Files of tests that are named, tests of each, and characters of them all. */
const MOST_FILES = 3;
const MOST_NAMES = 2;
const MOST_TEXT = 230;
/** Characters of the name of one test. */
const NAME = 60;
const MOST_EDGES = 300;

/**
 * The tests that exercise what a file defines: of what matters now first, then the nearest; where none does, those of
 * its callers.
 */
export async function testLines(
  path: string,
  focus: Focus,
  calls: readonly OutsideCall[],
  { q }: ReadContext,
): Promise<string[]> {
  if (isTestPath(path)) return [];
  const wanted = [...focus.keys()];
  const first = wanted.length > 0 ? await q(wanted).in(SymbolTestsSymbol).slice(0, MOST_EDGES).edges() : [];
  const all = await q(fileId(path))
    .out(FileContainsSymbol)
    .in(SymbolTestsSymbol)
    .slice(0, MOST_EDGES)
    .edges();
  const own = testFiles([...first, ...all], focus);
  if (own.length > 0) return [`- tested by ${listed(own)}`];
  const callers = [...new Set(calls.map(({ from }) => from))];
  const through =
    callers.length > 0 ? await q(callers).in(SymbolTestsSymbol).slice(0, MOST_EDGES).edges() : [];
  const found = testFiles(through, focus);
  return found.length > 0 ? [`- tested through what calls it by ${listed(found)}`] : [];
}

interface Test {
  readonly path: string;
  readonly name: string;
  readonly worth: number;
  readonly distance: number;
}

/** The files of tests with the names of the most telling in each, the most telling file first. */
function testFiles(edges: readonly EdgeRef<typeof SymbolTestsSymbol>[], focus: Focus): string[] {
  const tests = new Map<string, Test>();
  for (const { from, to, distance } of edges) {
    const { path, name } = parseId(from) ?? {};
    if (!path || !name) continue;
    const test = { path, name, worth: focus.get(to) ?? 0, distance };
    const known = tests.get(from);
    if (!known || compareTests(test, known) < 0) tests.set(from, test);
  }
  return [...grouped([...tests.values()].sort(compareTests), ({ path }) => path)]
    .map(([path, all]) => ({ path, all, best: all[0] }))
    .sort(
      (a, b) =>
        worthOf(b.best) - worthOf(a.best) ||
        distanceOf(a.best) - distanceOf(b.best) ||
        b.all.length - a.all.length ||
        compareText(a.path, b.path),
    )
    .map(({ path, all }) => {
      const names = all.slice(0, MOST_NAMES).map(({ name }) => quoted(name, NAME));
      const more = all.length - names.length;
      return `${quoted(path)} (${names.join(', ')}${more > 0 ? ` and ${more} more` : ''})`;
    });
}

function compareTests(a: Test, b: Test): number {
  return b.worth - a.worth || a.distance - b.distance || compareText(a.name, b.name);
}

const worthOf = (test: Test | undefined): number => test?.worth ?? 0;
const distanceOf = (test: Test | undefined): number => test?.distance ?? 0;

function listed(files: readonly string[]): string {
  const shown: string[] = [];
  let left = MOST_TEXT;
  for (const file of files.slice(0, MOST_FILES)) {
    if (shown.length > 0 && file.length > left) break;
    shown.push(file);
    left -= file.length;
  }
  const more = files.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and in ${more} more ${more === 1 ? 'file' : 'files'}` : ''}`;
}
