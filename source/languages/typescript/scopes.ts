/**
 * What a name is bound to. `module`: a module-level name; `import`: something of another file; `definition`: a
 * function, class or type inside a function; `local`: a parameter, block variable or type parameter.
 */
export type Binding = 'module' | 'import' | 'definition' | 'local';

/** One lexical scope. Names are looked up when the whole file was walked, so hoisting needs no second pass. */
export class Scope {
  readonly parent: Scope | null;
  /** Whether `var` belongs here: modules, namespaces and functions. */
  readonly holdsVar: boolean;
  /** Whether names declared here can be reached from outside by a qualified name. */
  readonly isModule: boolean;
  /** How many scopes are around it. */
  readonly depth: number;
  #names: Map<string, Binding> | null = null;
  #needed: Set<string> | null = null;

  constructor(parent: Scope | null, kind: 'module' | 'function' | 'block') {
    this.parent = parent;
    this.depth = parent === null ? 0 : parent.depth + 1;
    this.holdsVar = kind !== 'block';
    this.isModule = kind === 'module';
  }

  /** Binds a name; the strongest binding stays when one name is bound twice (an import and a type of it). */
  bind(name: string, binding: Binding): void {
    this.#names ??= new Map();
    if (binding !== 'local' || !this.#names.has(name)) this.#names.set(name, binding);
  }

  /** Binds a variable, function or class declared here, as what it is at this place. */
  declare(name: string, isDefinition: boolean): void {
    this.bind(name, this.isModule ? 'module' : isDefinition ? 'definition' : 'local');
  }

  /** What a name means here; null when nothing in the file binds it. */
  lookup(name: string): Binding | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent) {
      const binding = scope.#names?.get(name);
      if (binding !== undefined) return binding;
    }
    return null;
  }

  /** The scope that binds a name; null when nothing in the file does. */
  binding(name: string): Scope | null {
    for (let scope: Scope | null = this; scope !== null; scope = scope.parent)
      if (scope.#names?.has(name)) return scope;
    return null;
  }

  /** Says that somebody asks for the type of a name that is bound right here; whether nobody had before. */
  need(name: string): boolean {
    this.#needed ??= new Set();
    if (this.#needed.has(name)) return false;
    this.#needed.add(name);
    return true;
  }

  /** Whether {@link need} was said of a name. */
  isNeeded(name: string): boolean {
    return this.#needed?.has(name) ?? false;
  }

  /** The scope that a `var` declared here belongs to. */
  get varScope(): Scope {
    let scope: Scope = this;
    while (!scope.holdsVar && scope.parent) scope = scope.parent;
    return scope;
  }
}

/** The scope around a function or class value that has a name inside of itself; `outer` when it has none, ''. */
export function knowing(outer: Scope, own: string): Scope {
  if (own === '') return outer;
  const scope = new Scope(outer, 'block');
  scope.bind(own, 'definition');
  return scope;
}
