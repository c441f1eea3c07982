import { Scope } from './scopes.js';
import type { SyntaxNode } from './syntax.js';

/** Where a walk stands: what a visitor must know of everything around a node. Never changed, only derived. */
export interface Place {
  /** The innermost enclosing definition, by its number in {@link Findings}; null at module level. */
  readonly definition: number | null;
  /** What is put in front of a name to make it qualified: empty, or ends with a dot. */
  readonly path: string;
  readonly scope: Scope;
  /** The unnamed function's body or the block around, when there is one inside `definition`. */
  readonly block: SyntaxNode | null;
  /** As `block`, for names that `var` declares. */
  readonly functionBlock: SyntaxNode | null;
  /** Titles of the enclosing test suites and the offsets of their calls. */
  readonly suites: readonly string[];
  /** Inside `declare …`. */
  readonly ambient: boolean;
  /** The node of the function that `definition` is, while no unnamed function is around. */
  readonly owner: SyntaxNode | null;
}

/** The place at the top of a file. */
export function topOfFile(): Place {
  return {
    definition: null,
    path: '',
    scope: new Scope(null, 'module'),
    block: null,
    functionBlock: null,
    suites: [],
    ambient: false,
    owner: null,
  };
}

/** The place inside a definition that was just found. */
export function inside(at: Place, definition: number, name: string, scope: Scope): Place {
  return {
    ...at,
    definition,
    path: `${at.path}${name}.`,
    scope,
    block: null,
    functionBlock: null,
    owner: null,
  };
}

/** The place inside an unnamed function. */
export function insideUnnamed(at: Place, body: SyntaxNode, scope: Scope): Place {
  return { ...at, scope, block: body, functionBlock: body, owner: null };
}

/** The place inside a block: what `let`, `const`, `class` and `function` declare there stays there. */
export function insideBlock(at: Place, block: SyntaxNode): Place {
  return { ...at, scope: new Scope(at.scope, 'block'), block };
}
