import { type Lowering, NONE, type NodeId, nameAt } from '../../lower/index.js';
import { pathType } from './types.js';

/**
 * Macros that are given expressions, as functions are: they are read as calls. All others may be given anything.
 */
const CALLED =
  /\b(?:assert|assert_eq|assert_ne|debug_assert|debug_assert_eq|debug_assert_ne|print|println|eprint|eprintln|format|write|writeln|panic|todo|unimplemented|unreachable|dbg|trace|debug|info|warn|error|log|bail|ensure|anyhow|concat|assert_matches|format_args)!(?=\()|\bvec!(?=\[)/g;

/** A text in which these are calls and lists: the grammar gives no more than tokens of what stands in macros. */
export function withCalls(text: string): string {
  return text.replace(CALLED, (name) => (name === 'vec!' ? '    ' : `${name.slice(0, -1)} `));
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

/** Macros whose tokens are not run where they stand: they become code elsewhere, or a text. */
const QUOTING = /^(?:\w+::)*(?:(?:parse_)?quote(?:_spanned)?|stringify|concat_idents)$/;

/** Whether a macro is given tokens that it does not run. */
export function isQuoting(to: Lowering, node: NodeId): boolean {
  return QUOTING.test(to.tree.textOf(to.part(node, 'macro')));
}

/** What stands in front of a name that is declared, and not used. */
const DECLARING = /\b(?:fn|struct|enum|trait|mod|type|macro_rules!|impl|use)\s*$/;
/** What stands in front of the first parameter of a closure, and of the name of a local. */
const CLOSURE = /(?:^|[(,=]|\bmove\b)\s*\|(?:\s*mut|_\s*:\s*&?)?$/;
const LET = /\blet(?:\s+mut)?$/;
const REFERRING = new Set([':', ':&', ':&mut', ':mut']);
const COMMENTS = /\/\/[^\n]*/g;
const STARTS = new Set('identifier self super crate primitive_type'.split(' '));

/**
 * The calls among the tokens of any other macro: paths and chains of members with arguments behind them, and the locals
 * and parameters of closures that these may begin with.
 */
export function callsIn(to: Lowering, tokens: NodeId): void {
  if (tokens !== NONE) to.inScope('block', tokens, () => new Tokens(to, tokens).read());
}

/** What stands between two brackets of a macro. */
class Tokens {
  readonly #children: readonly NodeId[];
  #at = 0;

  constructor(
    private readonly to: Lowering,
    private readonly tokens: NodeId,
  ) {
    this.#children = to.tree.children(tokens);
  }

  read(): void {
    const { tree } = this.to;
    let local = NONE;
    for (; this.#at < this.#children.length; this.#at += 1) {
      const first = this.#node(0);
      if (tree.kind(first) === 'token_tree') callsIn(this.to, first);
      if (!STARTS.has(tree.kind(first))) continue;
      const front = this.#mark(0);
      if (LET.test(front)) local = first;
      else if (CLOSURE.test(front)) this.#parameters(front);
      else if (!DECLARING.test(front)) {
        const value = this.#chain(front);
        if (local !== NONE && front === '=')
          this.to.bind('local', local, { value, from: tree.end(this.#node(0)) });
        if (front !== ':') local = NONE;
      }
    }
  }

  /** A token, seen from the one that is read. */
  #node(ahead: number): NodeId {
    return this.#children[this.#at + ahead] ?? NONE;
  }

  /** What stands in front of a token. */
  #mark(ahead: number): string {
    const { tree } = this.to;
    const node = this.#node(ahead);
    if (node === NONE) return '';
    const before = this.#children[this.#at + ahead - 1];
    const from = before === undefined ? tree.start(this.tokens) + 1 : tree.end(before);
    return tree.text.slice(from, tree.start(node)).replace(COMMENTS, '').trim();
  }

  #isGroup(ahead: number): boolean {
    const { tree } = this.to;
    const node = this.#node(ahead);
    return (
      tree.kind(node) === 'token_tree' &&
      tree.text.charAt(tree.start(node)) === '(' &&
      this.#mark(ahead) === ''
    );
  }

  /** `|a, b: T|` */
  #parameters(front: string): void {
    const { to } = this;
    for (let isNamed = front.endsWith('|') || front.endsWith('mut'); ; isNamed = true) {
      const name = isNamed ? this.#node(0) : NONE;
      let type = isNamed ? -1 : pathType(to, this.#node(0));
      if (REFERRING.has(this.#mark(1).replace(/\s/g, '')) && STARTS.has(to.tree.kind(this.#node(1)))) {
        this.#at += 1;
        type = pathType(to, this.#node(0));
      }
      if (name !== NONE) to.bind('local', name, { type, from: to.tree.start(name) });
      if (!/^,(?:\s*mut)?$/.test(this.#mark(1)) || !STARTS.has(to.tree.kind(this.#node(1)))) return;
      this.#at += 1;
    }
  }

  #chain(front: string): number {
    const { to } = this;
    const { tree } = to;
    const start = tree.start(this.#node(0));
    let name = this.#node(0);
    let of = NONE;
    let type = -1;
    let row = front.endsWith('.') ? this.#member(name, to.unknown, NONE, this.#isGroup(1)) : -1;
    for (; ; this.#at += 1) {
      const next = this.#node(1);
      const mark = this.#mark(1);
      if (row < 0 && mark === '::' && tree.kind(next) !== 'token_tree') {
        type =
          type < 0
            ? pathType(to, name, false)
            : to.addType({ kind: 'name', name: tree.textOf(name), base: type, at: start });
        [of, name] = [name, next];
      } else if (this.#isGroup(1)) {
        if (row < 0) row = this.#first(name, of, type, 'callee');
        callsIn(to, next);
        const call = to.addExpression({ kind: 'call', base: row, at: start });
        const whole = { start, end: tree.end(next) };
        const written = to.writtenAt(row).name;
        if (written !== NONE)
          to.refer({
            ...{
              kind: 'call',
              name: written,
              whole,
              expression: call,
              receiver: of,
              receiverRow: to.baseOf(row),
            },
            arguments: null,
          });
        row = call;
      } else if (/^\??\.$/.test(mark) && tree.kind(next) === 'identifier') {
        if (row < 0) row = this.#first(name, of, type, 'path');
        if (mark.startsWith('?')) {
          const unwrapped = to.addExpression({ kind: 'member', name: 'unwrap', base: row, at: start });
          row = to.addExpression({ kind: 'call', base: unwrapped, at: start });
        }
        row = this.#member(next, row, name, this.#isGroup(2));
        [of, name] = [name, next];
      } else return row < 0 ? this.#first(name, of, type, 'read') : row;
    }
  }

  #first(name: NodeId, of: NodeId, type: number, use: 'callee' | 'path' | 'read'): number {
    const { to } = this;
    if (of === NONE) return to.tree.kind(name) === 'identifier' ? nameAt(to, name, use) : to.expression(name);
    const base = to.addExpression({ kind: 'type', type, at: to.tree.start(of) });
    return this.#member(name, base, of, use === 'callee');
  }

  #member(name: NodeId, base: number, of: NodeId, isCall: boolean): number {
    const { to } = this;
    const at = to.tree.start(name);
    const given = { name: to.tree.textOf(name), base, at, nameNode: name, ofNode: of };
    const expression = to.addExpression({ kind: 'member', ...given });
    if (!isCall) to.refer({ kind: 'read', name, whole: name, receiver: of, receiverRow: base, expression });
    return expression;
  }
}
