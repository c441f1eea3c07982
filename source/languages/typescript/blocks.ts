import { define, isExported } from './define.js';
import type { Findings, Visitor } from './findings.js';
import { flowTo, returned, takenFrom } from './flows.js';
import { visitValue } from './names.js';
import { namesOf, readKeys } from './patterns.js';
import { inside, insideAmbient, insideBlock, insideScope, type Place } from './place.js';
import { Scope } from './scopes.js';
import type { SyntaxNode } from './syntax.js';

const block: Visitor = (node, at, found) => found.visitChildren(node, insideBlock(at, node));

/** `for (const x of xs)`, `for (x in o)` */
const forEach: Visitor = (node, at, found) => {
  const target = node.children[0];
  if (target === undefined) return;
  const within = insideBlock(at, node);
  const keyword = /\b(const|let|var|using)\s*$/.exec(found.source.text.slice(node.start, target.start))?.[1];
  if (keyword === undefined) visitValue('write', target, at, found);
  else {
    const scope = keyword === 'var' ? at.scope.varScope : within.scope;
    const values = node.children[1];
    const isOf = values !== undefined && /\bof\s*$/.test(found.source.text.slice(target.end, values.start));
    for (const { name, way } of namesOf(target, within, found)) {
      scope.declare(name, false);
      const given = isOf && way ? takenFrom({ item: values }, way) : null;
      flowTo(name, given, node, insideScope(within, scope, within.block), found);
    }
    if (isOf) readKeys(target, { item: values }, within, found);
  }
  for (const child of node.children) if (child !== target) found.visit(child, within);
};

/** `if (x instanceof Foo) …`, `x instanceof Foo ? … : …` and `x instanceof Foo && …`: what `x` is behind the condition. */
const condition: Visitor = (node, at, found) => {
  const [test, then] = node.children;
  if (test !== undefined && then !== undefined && found.tellsInstances)
    tellInstances(test, then, node, at, found);
  found.visitChildren(node, at);
};

function tellInstances(
  test: SyntaxNode,
  then: SyntaxNode,
  node: SyntaxNode,
  at: Place,
  found: Findings,
): void {
  if (node.type === 'binary_expression' && !isBetween(/^\s*&&/, test, then, found)) return;
  for (let one: SyntaxNode | null = test; one !== null; ) {
    const { type, first, last }: SyntaxNode = one;
    if (type === 'parenthesized_expression') one = first;
    else if (type !== 'binary_expression' || first === null || last === null) return;
    else if (isBetween(/^\s*&&/, first, last, found)) {
      tellInstances(last, then, node, at, found);
      one = first;
    } else {
      if (first.type !== 'identifier' || !isBetween(/^\s*instanceof\b/, first, last, found)) return;
      flowTo(first.text, { typed: last.text }, node, insideScope(at, at.scope, then), found);
      return;
    }
  }
}

function isBetween(operator: RegExp, left: SyntaxNode, right: SyntaxNode, found: Findings): boolean {
  return operator.test(found.source.text.slice(left.end, right.start));
}

/** `return value`: what the function around gives. */
const result: Visitor = (node, at, found) => {
  if (node.first === null) return;
  returned(node.first, at, found);
  found.visit(node.first, at);
};

const handler: Visitor = (node, at, found) => {
  const within = insideBlock(at, node);
  for (const child of node.children) {
    if (child.type === 'statement_block') found.visitChildren(child, within);
    else if (child.type === 'type_annotation') found.visit(child, within);
    else
      for (const { name } of namesOf(child, within, found)) {
        within.scope.bind(name, 'local');
        flowTo(name, null, child, within, found);
      }
  }
};

const ambient: Visitor = (node, at, found) => {
  const within = insideAmbient(at);
  // `declare global { … }` has no node of its own: its block adds to every file's names.
  for (const child of node.children)
    if (child.type === 'statement_block') found.visitChildren(child, within);
    else found.visit(child, within);
};

/** `namespace A.B { … }`; `declare module 'm' { … }` names another file and is no definition of this one. */
const namespace: Visitor = (node, at, found) => {
  const nameNode = node.first;
  const body = node.child('statement_block');
  if (nameNode === null) return;
  if (nameNode.type === 'string') {
    if (body !== null) found.visitChildren(body, insideScope(at, new Scope(at.scope, 'module'), at.block));
    return;
  }
  const name = nameNode.text.replace(/\s+/g, '');
  const root = /^[\p{ID_Continue}$]+/u.exec(name)?.[0] ?? name;
  at.scope.declare(root, true);
  const whole = wholeOf(node);
  const definition = define(found, at, {
    form: 'variable',
    name,
    nameNode,
    start: whole.start,
    end: whole.end,
    head: [node.start, body?.start ?? node.end],
    exported: isExported(node),
    scope: 'module',
    is_constant: true,
  });
  if (body !== null) found.visitChildren(body, inside(at, definition, name, new Scope(at.scope, 'module')));
};

function wholeOf(node: SyntaxNode): SyntaxNode {
  let whole = node;
  while (whole.parent !== null && WRAPPERS.has(whole.parent.type)) whole = whole.parent;
  return whole;
}

const WRAPPERS = new Set(['export_statement', 'ambient_declaration', 'expression_statement']);

/** Visitors of blocks and everything else that opens a scope. */
export const blockVisitors: ReadonlyMap<string, Visitor> = new Map([
  ['statement_block', block],
  ['for_statement', block],
  ['switch_body', block],
  ['for_in_statement', forEach],
  ['catch_clause', handler],
  ['if_statement', condition],
  ['ternary_expression', condition],
  ['binary_expression', condition],
  ['return_statement', result],
  ['ambient_declaration', ambient],
  ['internal_module', namespace],
  ['module', namespace],
]);
