import { decoratorOf } from '../expressions.js';
import { bodyOf } from '../names.js';
import type { Scope, Scopes } from '../scopes.js';
import type { Syntax } from '../syntax.js';

/** A node and the scope that its names are looked up in. */
export interface Placed {
  readonly node: Syntax;
  readonly scope: Scope;
}

/** A decorator that is called, and what it decorates. */
export interface Decoration extends Placed {
  /** The function or class. */
  readonly decorated: Syntax;
}

/** What may tell of routes, in the order of the text. */
export interface FoundNodes {
  readonly assignments: readonly Placed[];
  readonly functions: readonly Placed[];
  readonly decorations: readonly Decoration[];
  readonly calls: readonly Placed[];
}

/** Takes from a tree what may tell of routes, each with its scope. */
export function foundNodes(root: Syntax, scopes: Scopes): FoundNodes {
  const found = {
    assignments: [] as Placed[],
    functions: [] as Placed[],
    decorations: [] as Decoration[],
    calls: [] as Placed[],
  };
  const visit = (node: Syntax, scope: Scope): void => {
    const { kind, children } = node;
    if (kind === 'call') found.calls.push({ node, scope });
    else if (kind === 'assignment') found.assignments.push({ node, scope });
    else if (kind === 'decorated_definition') {
      const decorated = children[children.length - 1];
      for (const one of children) {
        const call = one.kind === 'decorator' ? decoratorOf(one)?.expression : undefined;
        if (call?.kind === 'call' && decorated) found.decorations.push({ node: call, scope, decorated });
      }
    }
    const body = bodyOf(node);
    const own = scopes.opened.get(node) ?? scope;
    if (kind === 'function_definition') found.functions.push({ node, scope: own });
    for (const one of children) visit(one, one === body ? own : scope);
  };
  for (const one of root.children) visit(one, scopes.module);
  return found;
}
