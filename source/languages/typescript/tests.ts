import type { Findings } from './findings.js';
import { isFunction, stringOf, unwrapped } from './literals.js';
import type { Place } from './place.js';
import { folded, type SyntaxNode } from './syntax.js';

const TESTS = new Set(['it', 'test', 'specify', 'xit', 'fit', 'xtest']);
const SUITES = new Set(['describe', 'suite', 'context', 'xdescribe', 'fdescribe']);
const MODIFIERS = new Set(
  'only skip todo fails failing concurrent sequential each for skipIf runIf shuffle serial extend'.split(' '),
);
const BEGINNING = /(?:it|test|specify|xit|fit|xtest|describe|suite|context|xdescribe|fdescribe)(?![\w$])/y;

/**
 * Keeps a call that may be a test of vitest, jest, mocha or node:test, and gives the place for its arguments:
 * those of a suite stand one suite deeper.
 */
export function suiteAt(
  node: SyntaxNode,
  callee: SyntaxNode,
  list: SyntaxNode,
  at: Place,
  found: Findings,
): Place {
  // Nearly no call is one: the text is asked first, it costs the least.
  BEGINNING.lastIndex = callee.start;
  const root = BEGINNING.exec(found.source.text)?.[0];
  if (root === undefined || !isRunner(callee)) return at;
  const [first, ...rest] = list.type === 'arguments' ? list.children : [];
  if (first === undefined || !rest.some((one) => isFunction(unwrapped(one)) || one.type === 'identifier'))
    return at;
  const title = titleOf(first);
  if (SUITES.has(root)) return { ...at, suites: [...at.suites, title] };
  if (TESTS.has(root)) found.tests.push({ root, scope: at.scope, title, suites: at.suites, node });
  return at;
}

/** `it`, `it.only`, `describe.each([…])`, `` test.each`…` ``. */
function isRunner(callee: SyntaxNode): boolean {
  let one: SyntaxNode | null = callee;
  while (one !== null && one.type !== 'identifier') {
    if (one.type === 'member_expression') {
      if (one.last === null || !MODIFIERS.has(one.last.text)) return false;
    } else if (one.type !== 'call_expression' || one.first?.type !== 'member_expression') return false;
    one = one.first;
  }
  return one !== null;
}

function titleOf(node: SyntaxNode): string {
  const plain = stringOf(node);
  if (plain !== null) return plain;
  return folded(node.type === 'template_string' ? node.text.slice(1, -1) : node.text, 200);
}
