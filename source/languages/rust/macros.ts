import { callOf, type Lowering, NONE, type NodeId, nameAt } from '../../lower/index.js';
import { pathType } from './types.js';

/**
 * Macros that are given expressions, as functions are: they are read as calls. All others may be given anything.
 */
const CALLED =
  'assert assert_eq assert_ne debug_assert debug_assert_eq debug_assert_ne print println eprint eprintln format ' +
  'write writeln panic todo unimplemented unreachable dbg trace debug info warn error log bail ensure anyhow ' +
  'try concat assert_matches format_args';
const CALLED_MACRO = new RegExp(`\\b(?:${CALLED.replaceAll(' ', '|')})!(?=\\s*\\()|\\bvec!(?=\\s*\\[)`, 'g');

/** A text in which these are calls and lists: the grammar gives no more than tokens of what stands in macros. */
export function withCalls(text: string): string {
  return text.replace(CALLED_MACRO, (name) => (name === 'vec!' ? '    ' : `${name.slice(0, -1)} `));
}

/** Whether what is called is a macro that {@link withCalls} made a function. */
export function isMacro(to: Lowering, callee: NodeId): boolean {
  return to.tree.text.charAt(to.tree.end(callee)) === '!';
}

/** What is given to such a macro; names of arguments are none of the file. */
export function macroCall(to: Lowering, name: NodeId, given: NodeId): number {
  const { tree } = to;
  for (const one of tree.children(given))
    to.expression(tree.kind(one) === 'assignment_expression' ? to.part(one, 'right') : one, 'pass');
  if (tree.textOf(name) !== 'format') return to.unknown;
  const at = tree.start(name);
  return to.addExpression({ kind: 'composite', type: to.addType({ kind: 'name', name: 'String', at }), at });
}

/** What stands in front of a name that is declared, and not used. */
const DECLARING = /\b(?:fn|struct|enum|trait|mod|type|macro_rules!|impl|let|use)\s*$/;

/** The calls among the tokens of any other macro: paths and chains of members with arguments behind them. */
export function callsIn(to: Lowering, tokens: NodeId): void {
  const { tree } = to;
  const children = tree.children(tokens);
  const between = (index: number) => {
    const before = index === 0 ? tree.start(tokens) + 1 : tree.end(children[index - 1] ?? NONE);
    return tree.text.slice(before, tree.start(children[index] ?? NONE)).trim();
  };
  for (let index = 0; index < children.length; index += 1) {
    const first = children[index] ?? NONE;
    if (tree.kind(first) === 'token_tree') callsIn(to, first);
    if (!STARTS.has(tree.kind(first))) continue;
    const front = between(index);
    if (DECLARING.test(front)) continue;
    let name = first;
    let of = NONE;
    let type = -1;
    let row = front.endsWith('.') ? member(to, first, to.unknown, NONE) : -1;
    for (; index < children.length; index += 1) {
      const next = children[index + 1];
      const mark = next === undefined ? '' : between(index + 1);
      const isTree = next !== undefined && tree.kind(next) === 'token_tree';
      if (next !== undefined && mark === '::' && row < 0 && !isTree) {
        type = named(to, name, type);
        [of, name] = [name, next];
      } else if (isTree && mark === '' && tree.text.charAt(tree.start(next)) === '(') {
        if (row < 0) row = start(to, name, of, type, 'callee');
        row = called(to, next, row);
      } else if (next !== undefined && /^\??\.$/.test(mark) && tree.kind(next) === 'identifier') {
        if (row < 0) row = start(to, name, of, type, 'path');
        const isCall =
          children[index + 2] !== undefined && tree.kind(children[index + 2] ?? NONE) === 'token_tree';
        row = member(to, next, row, name, isCall);
        name = next;
      } else break;
    }
    if (row < 0 && of === NONE && to.isBound(tree.textOf(name))) continue;
    if (row < 0) start(to, name, of, type, 'read');
  }
}

const STARTS = new Set('identifier self super crate primitive_type'.split(' '));

function named(to: Lowering, name: NodeId, base: number): number {
  if (base < 0) return pathType(to, name, false);
  return to.addType({ kind: 'name', name: to.tree.textOf(name), base, at: to.tree.start(name) });
}

/** A chain's first name. */
function start(
  to: Lowering,
  name: NodeId,
  of: NodeId,
  type: number,
  use: 'callee' | 'path' | 'read',
): number {
  if (of === NONE) return to.tree.kind(name) === 'identifier' ? nameAt(to, name, use) : to.expression(name);
  const at = to.tree.start(name);
  const base = to.addExpression({ kind: 'type', type, at: to.tree.start(of) });
  return member(to, name, base, of, use === 'callee', at);
}

function member(
  to: Lowering,
  name: NodeId,
  base: number,
  of: NodeId,
  isCall = true,
  at = to.tree.start(name),
): number {
  const text = to.tree.textOf(name);
  const row = to.addExpression({ kind: 'member', name: text, base, at, nameNode: name, ofNode: of });
  if (!isCall)
    to.refer({ kind: 'read', name, whole: name, receiver: of, receiverRow: base, expression: row });
  return row;
}

function called(to: Lowering, given: NodeId, base: number): number {
  callsIn(to, given);
  const { name, of } = to.writtenAt(base);
  return callOf(to, given, { base, name, receiver: of, given: [] });
}
