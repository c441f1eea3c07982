import type { TestFact } from '../../facts.js';
import { isInTestFolder } from '../test-folder.js';
import type { Findings, FoundTest } from './findings.js';
import { isTestFile } from './test-files.js';

/** Modules that test frameworks give their functions under. */
const FRAMEWORK =
  /^(?:vitest|@jest\/globals|(?:node:)?test|mocha|bun:test|ava|uvu|tape?|@playwright\/test|@japa\/runner|(?:(?!@std\/testing).)*@std\/testing.*\/bdd|https:\/\/deno\.land\/std.*\/testing\/bdd\.ts)$/;

const ASYNC = /^async\b/;

/**
 * The calls that a test framework would run: of a function that a framework's module gives, in any file; of a
 * global, or of what another module passes on, in a file that is a test's by its path. In the order of the text.
 */
export function testsOf(path: string, found: Findings): TestFact[] {
  if (found.tests.length === 0) return [];
  const isTests = isTestFile(path) || isInTestFolder(path);
  const ordinals = new Map<string, number>();
  return found.tests
    .filter((one) => isTest(one, found, isTests))
    .sort((a, b) => a.node.start - b.node.start)
    .map(({ title, suites, signature, callback, node }) => {
      const qualname = [...suites, title].join('.');
      const ordinal = (ordinals.get(qualname) ?? 0) + 1;
      ordinals.set(qualname, ordinal);
      return {
        title,
        definition: null,
        suites: [...suites],
        qualname,
        ordinal,
        signature,
        is_async: ASYNC.test(callback.text),
        span: found.source.span(node.start, node.end),
        body: found.source.span(callback.start, callback.end),
      };
    });
}

function isTest({ scope, root, hasText }: FoundTest, found: Findings, isTests: boolean): boolean {
  const binding = scope.lookup(root);
  if (binding === null) return isTests || root === 'Deno';
  if (binding !== 'import') return false;
  const [origin] = found.importsOf(root);
  return FRAMEWORK.test(origin?.module ?? '') || (isTests && hasText);
}
