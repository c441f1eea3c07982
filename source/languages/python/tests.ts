import type { Definition, TestFact } from '../../facts.js';
import { lastName } from './expressions.js';

/**
 * What pytest and unittest would run: in `test_*.py` and `*_test.py` the functions `test_*` and the methods `test_*`
 * of classes `Test*`; in any file the methods `test*` of a `TestCase`.
 */
export function testsOf(path: string, definitions: readonly Definition[]): TestFact[] {
  const collected = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path);
  return definitions.flatMap((one, definition) => {
    const suites = suitesOf(one, definitions);
    if (!suites || !isTest(one, suites, collected)) return [];
    return [{ title: one.name, definition, suites: suites.map((suite) => suite.name), span: one.span }];
  });
}

/** The enclosing classes, outermost first; null inside a function, where nothing is collected. */
function suitesOf(one: Definition, definitions: readonly Definition[]): Definition[] | null {
  const suites: Definition[] = [];
  for (let at = one.parent; at !== null; ) {
    const outer = definitions[at];
    if (outer?.form !== 'class') return null;
    suites.unshift(outer);
    at = outer.parent;
  }
  return suites;
}

function isTest(one: Definition, suites: readonly Definition[], collected: boolean): boolean {
  if (one.form !== 'function' && one.form !== 'method') return false;
  // A fixture may be called test_client.
  if (one.decorators.some((each) => /(^|\.)fixture\b/.test(each))) return false;
  const suite = suites[suites.length - 1];
  if (!suite) return collected && one.name.startsWith('test_');
  if (suite.bases.some((base) => lastName(base.name).endsWith('TestCase')))
    return one.name.startsWith('test');
  return collected && one.name.startsWith('test_') && suites.every((each) => each.name.startsWith('Test'));
}
