import type { Findings } from './findings.js';
import { isFunction, stringOf, unwrapped } from './literals.js';
import { insideSuite, type Place } from './place.js';
import { folded, type SyntaxNode } from './syntax.js';

const TESTS = new Set(['it', 'test', 'specify', 'xit', 'fit', 'xtest']);
const SUITES = new Set(['describe', 'suite', 'context', 'xdescribe', 'fdescribe']);
const MODIFIERS = new Set(
  'only skip todo fails failing concurrent sequential each for skipIf runIf shuffle serial parallel extend'.split(
    ' ',
  ),
);
const BEGINNING =
  /(?:it|test|specify|xit|fit|xtest|describe|suite|context|xdescribe|fdescribe|Deno)(?![\w$])/y;

/** The most characters of a title. */
const TITLE = 200;

/**
 * Keeps a call that may be a test of vitest, jest, mocha, node:test, Bun, Deno or Playwright, and gives the place for
 * its arguments: those of a suite stand one suite deeper.
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
  return BEGINNING.test(found.source.text) ? runAt(node, callee, list, at, found) : at;
}

function runAt(node: SyntaxNode, callee: SyntaxNode, list: SyntaxNode, at: Place, found: Findings): Place {
  const names = runnerOf(callee);
  const use = names && useOf(names);
  const given = list.type === 'arguments' ? list.children : [];
  const first = given[0];
  if (!names || !use || first === undefined) return at;
  const callback = given
    .slice(1)
    .map(unwrapped)
    .find((one) => isFunction(one) || one.type === 'identifier');
  if (callback === undefined) return at;
  const title = titleOf(first);
  if (use === 'suite') return insideSuite(at, title);
  found.tests.push({
    root: names[0] ?? '',
    scope: at.scope,
    title,
    hasText: TEXTS.has(first.type),
    suites: at.suites,
    signature: folded(`${names.join('.')}(${first.text})`, 300),
    callback,
    node,
  });
  return at;
}

const TEXTS = new Set(['string', 'template_string', 'binary_expression']);

/** The names that a callee is made of: `it`, `it.only`, `describe.each([…])`, `` test.each`…` ``; null for another. */
function runnerOf(callee: SyntaxNode): string[] | null {
  const names: string[] = [];
  let one: SyntaxNode | null = callee;
  while (one !== null && one.type !== 'identifier') {
    if (one.type === 'member_expression') {
      if (one.last === null) return null;
      names.unshift(one.last.text);
      // Every call of a chain asks.
      if (names.length > MODIFIERS.size) return null;
    } else if (one.type !== 'call_expression' || one.first?.type !== 'member_expression') return null;
    one = one.first;
  }
  return one === null ? null : [one.text, ...names];
}

/** `Deno.test` is a test and `test.describe` (Playwright) a suite; every other name is one of the modifiers. */
function useOf([root = '', ...names]: readonly string[]): 'test' | 'suite' | null {
  const [first, ...others] = names;
  if (root === 'Deno') return first === 'test' && others.every((name) => MODIFIERS.has(name)) ? 'test' : null;
  const isSuite = SUITES.has(root) || (TESTS.has(root) && first === 'describe');
  const modifiers = isSuite && first === 'describe' ? others : names;
  if (!modifiers.every((name) => MODIFIERS.has(name))) return null;
  return isSuite ? 'suite' : 'test';
}

function titleOf(node: SyntaxNode): string {
  const plain = stringOf(node)?.replace(/\\(['"`])/g, '$1') ?? null;
  const text = plain ?? (node.type === 'template_string' ? node.text.slice(1, -1) : node.text);
  return folded(text, TITLE).trim() || 'untitled';
}
