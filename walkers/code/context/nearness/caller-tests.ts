import type { ReadContext } from '../../../../runtime/index.js';
import { parseId, SymbolTestsSymbol } from '../../../../schema/index.js';
import { isTestPath } from '../../../../source/index.js';
import type { CodeLinks } from './links.js';
import { add } from './scores.js';

/** Callers whose tests are looked at, and tests of theirs: what everything calls, everything tests. */
const MOST_CALLERS = 100;
const MOST_TESTS = 500;

/** Tests that only reach the files asked for through what calls them. */
export interface CallerTests {
  /** Weights of their files, by path. */
  readonly files: ReadonlyMap<string, number>;
  /** Weights of the tests, by id. */
  readonly cases: ReadonlyMap<string, number>;
}

/** The tests of the callers of files, those left out that have to do with the files themselves. */
export async function testsOfCallers(
  { q }: Pick<ReadContext, 'q'>,
  asked: readonly string[],
  links: CodeLinks,
): Promise<CallerTests> {
  const files = new Map<string, number>();
  const cases = new Map<string, number>();
  const all = [...links.callers].filter((id) => !isTestPath(parseId(id)?.path ?? ''));
  const meant = all.filter((id) => links.inFocus?.has(id));
  const callers = (meant.length > 0 ? meant : all).slice(0, MOST_CALLERS);
  if (callers.length === 0) return { files, cases };
  for (const { from, confidence } of await q(callers).in(SymbolTestsSymbol).slice(0, MOST_TESTS).edges()) {
    const path = parseId(from)?.path ?? null;
    if (path === null || asked.includes(path) || links.files.has(path)) continue;
    add(files, path, confidence);
    add(cases, from, confidence);
  }
  return { files, cases };
}
