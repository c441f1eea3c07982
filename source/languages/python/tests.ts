import type { Definition, TestFact } from '../../facts.js';
import { lastName } from './expressions.js';

/**
 * What pytest and unittest would run: in `test_*.py` and `*_test.py` the functions `test*` and the methods `test*` of
 * classes `Test*` without a constructor (pytest's defaults for `python_files`, `python_functions` and
 * `python_classes`); in any file the methods `test*` of a `TestCase`.
 */
export function testsOf(path: string, definitions: readonly Definition[]): TestFact[] {
  const collected = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/.test(path);
  return definitions.flatMap((one, definition) => {
    const suites = suitesOf(one, definitions);
    if (!suites || !isTest(one, suites, definitions, collected)) return [];
    const { name: title, qualname, ordinal, signature, is_async, span } = one;
    const titles = suites.map((suite) => suite.name);
    return [{ title, definition, suites: titles, qualname, ordinal, signature, is_async, span, body: span }];
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

function isTest(
  one: Definition,
  suites: readonly Definition[],
  definitions: readonly Definition[],
  collected: boolean,
): boolean {
  if (one.form !== 'function' && one.form !== 'method') return false;
  // A fixture may be called test_client.
  if (!one.name.startsWith('test') || one.decorators.some((each) => FIXTURE.test(each))) return false;
  const suite = suites[suites.length - 1];
  if (suite && isTestCase(suite, definitions)) return true;
  return (
    collected && suites.every((each) => each.name.startsWith('Test') && !hasConstructor(each, definitions))
  );
}

const FIXTURE = /(^|\.)fixture\b/;

/** Whether a class derives from a `TestCase`, by its own bases or by those of classes of the file. */
function isTestCase(suite: Definition, definitions: readonly Definition[], depth = 0): boolean {
  return suite.bases.some((base) => {
    if (lastName(base.name).endsWith('TestCase')) return true;
    const own = definitions.find((each) => each.form === 'class' && each.qualname === base.name);
    return own !== undefined && own !== suite && depth < 8 && isTestCase(own, definitions, depth + 1);
  });
}

/** pytest passes over a class with a constructor. */
function hasConstructor(suite: Definition, definitions: readonly Definition[]): boolean {
  return definitions.some(
    ({ name, parent }) => name === '__init__' && parent !== null && definitions[parent] === suite,
  );
}
