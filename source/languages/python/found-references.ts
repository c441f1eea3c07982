import { LIMITS } from '../../../schema/index.js';
import type { Reference, ReferenceKind } from '../../facts.js';
import { isBuiltin } from './builtins.js';
import { firstName } from './expressions.js';
import type { Scope } from './scopes.js';
import type { Syntax } from './syntax.js';
import type { SourceText } from './text.js';

/** What a reference says of its call. */
export type CallFacts = Pick<Reference, 'arguments' | 'callee' | 'values'> & {
  /** What a callee without a name is called: `handlers[]`. */
  name?: string;
};

/** Of what is no call. */
export const NO_CALL: CallFacts = { arguments: null };

/** How a value is used where it stands. */
export type Use = 'read' | 'write' | 'pass';

/** The references found so far, and which names are worth one. */
export class FoundReferences {
  readonly list: Reference[] = [];

  /** `importsAll`: the file imports `*` from somewhere, so that unknown names may come from there. */
  constructor(
    private readonly text: SourceText,
    private readonly importsAll: boolean,
  ) {}

  /** A bare name. Locals and builtins are no references. */
  name(node: Syntax, scope: Scope, use: Use | 'type'): void {
    const name = this.text.of(node);
    if (use === 'type' ? this.#isTypeName(name, scope) : this.isProgramName(name, scope))
      this.add(use, node, null, 'none', node, scope, isLocal(name, scope));
  }

  /** Whether a name is bound to what another place can define: a definition or an import. */
  isProgramName(name: string, scope: Scope): boolean {
    const found = scope.lookup(name);
    if (!found) return this.importsAll && name !== '' && !isBuiltin(name);
    return found.binding === 'definition' || found.binding === 'import';
  }

  /** Types may be named before or without a binding, in strings and under conditions. */
  #isTypeName(name: string, scope: Scope): boolean {
    return scope.lookup(name) ? this.isProgramName(name, scope) : !isBuiltin(name);
  }

  /** A dotted path whose last name stands at the end of `node`. */
  path(kind: 'type' | 'read', node: Syntax, path: string, scope: Scope): void {
    const first = firstName(path);
    const known = kind === 'type' ? this.#isTypeName(first, scope) : this.isProgramName(first, scope);
    if (!known && first !== scope.self) return;
    const dot = path.lastIndexOf('.');
    const name = { ...node, start: node.end - (path.length - dot - 1) };
    const receiver = dot < 0 ? null : path.slice(0, dot);
    const form = receiver === null ? 'none' : first === scope.self ? 'this' : 'path';
    this.add(kind, name, receiver, form, node, scope, form !== 'this' && isLocal(first, scope));
  }

  /** One reference; `name` is the node of the last name, `whole` the expression. */
  add(
    kind: ReferenceKind,
    name: Syntax,
    receiver: string | null,
    form: Reference['receiver_form'],
    whole: Syntax,
    scope: Scope,
    local: boolean,
    call: CallFacts = NO_CALL,
  ): void {
    const text = this.text;
    const simple = call.name ?? text.of(name);
    if (simple === '') return;
    const line = text.line(name.start);
    this.list.push({
      kind,
      name: simple,
      receiver: receiver === null ? null : receiver.slice(0, LIMITS.expression.max),
      receiver_form: form,
      from: scope.owner,
      line,
      column: text.column(name.start, line),
      expression: text.folded(whole.start, whole.end, LIMITS.expression.max),
      local,
      arguments: call.arguments,
      on: undefined,
      callee: call.callee,
      types: undefined,
      values: call.values,
    });
  }
}

/** Whether a name is bound inside a function as what no definition or import stands for. */
export function isLocal(name: string, scope: Scope): boolean {
  const found = scope.lookup(name);
  return found?.scope.holdsLocals === true && (found.binding === 'parameter' || found.binding === 'local');
}
