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

/** Every place is made here, so that all have one shape: they are what is read most. */
function place(
  definition: number | null,
  path: string,
  scope: Scope,
  block: SyntaxNode | null,
  functionBlock: SyntaxNode | null,
  suites: readonly string[],
  ambient: boolean,
  owner: SyntaxNode | null,
): Place {
  return { definition, path, scope, block, functionBlock, suites, ambient, owner };
}

/** The place at the top of a file. */
export function topOfFile(): Place {
  return place(null, '', new Scope(null, 'module'), null, null, [], false, null);
}

/** The place inside a definition that was just found. */
export function inside(at: Place, definition: number, name: string, scope: Scope): Place {
  return place(definition, `${at.path}${name}.`, scope, null, null, at.suites, at.ambient, null);
}

/** The place inside an unnamed function. */
export function insideUnnamed(at: Place, body: SyntaxNode, scope: Scope): Place {
  return place(at.definition, at.path, scope, body, body, at.suites, at.ambient, null);
}

/** The place inside a block: what `let`, `const`, `class` and `function` declare there stays there. */
export function insideBlock(at: Place, block: SyntaxNode): Place {
  return insideScope(at, new Scope(at.scope, 'block'), block);
}

/** The same place with another scope, which a block limits. */
export function insideScope(at: Place, scope: Scope, block: SyntaxNode | null): Place {
  return place(at.definition, at.path, scope, block, at.functionBlock, at.suites, at.ambient, at.owner);
}

/** The same place as part of another definition. */
export function partOf(at: Place, definition: number | null): Place {
  return under(at, at.path, definition);
}

/** The same place under another path. */
export function under(at: Place, path: string, definition = at.definition): Place {
  return place(definition, path, at.scope, at.block, at.functionBlock, at.suites, at.ambient, at.owner);
}

/** The place inside a function, of which it is told while no unnamed function is around. */
export function ownedBy(at: Place, node: SyntaxNode): Place {
  const owner = at.functionBlock === null ? node : null;
  return place(at.definition, at.path, at.scope, at.block, at.functionBlock, at.suites, at.ambient, owner);
}

/** Deeper suites are not told: the name of each test is made of all around it. */
const MOST_SUITES = 32;

/** The place inside a suite of tests. */
export function insideSuite(at: Place, title: string): Place {
  const suites = at.suites.length < MOST_SUITES ? [...at.suites, title] : at.suites;
  return place(at.definition, at.path, at.scope, at.block, at.functionBlock, suites, at.ambient, at.owner);
}

/** The place inside `declare …`. */
export function insideAmbient(at: Place): Place {
  return place(at.definition, at.path, at.scope, at.block, at.functionBlock, at.suites, true, at.owner);
}
