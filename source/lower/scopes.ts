import {
  BINDING_FLAGS,
  BINDING_KINDS,
  type BindingKind,
  SCOPE_KINDS,
  type ScopeKind,
  type TableRows,
  type UnitBuilder,
} from '../ir/index.js';

/** What a binding is made of besides its name. */
export interface NewBinding {
  readonly type?: number;
  readonly value?: number;
  readonly from?: number;
  readonly flags?: number;
  readonly import?: number;
}

/** What a name is in the scope that has it. */
export type Known = BindingKind | 'symbol';

/** Scopes of names that are no symbol's own. */
const PLACES: ReadonlySet<ScopeKind> = new Set<ScopeKind>(['file', 'namespace', 'module', 'extension']);

/** All that a name can be, by number; at most eight. */
const KNOWN: readonly Known[] = [...BINDING_KINDS, 'symbol'];

/** A scope of the file that is lowered. */
export interface Scope {
  readonly kind: ScopeKind;
  /** Its row; a block has one only when a name is bound in it. */
  row: number;
  /** The symbol whose body or members it holds; -1 for none. */
  readonly symbol: number;
  /** Of a namespace. */
  readonly name?: string;
  readonly start: number;
  readonly end: number;
  readonly parent: Scope | null;
  /** By name the number of what it is in {@link KNOWN}, and above three bits its row and one more. */
  names: Map<string, number> | null;
}

/** What a name is, and where. */
export interface FoundName {
  readonly known: Known;
  /** Of its binding or symbol; -1 where it is none of the unit. */
  readonly row: number;
  readonly scope: Scope;
}

/** Of two that a scope says of one name the one that says more of it stays, where names belong to all of their scope. */
const STRENGTH: Readonly<Record<Known, number>> = {
  local: 0,
  member: 0,
  import: 1,
  symbol: 2,
  parameter: 3,
  receiver: 3,
  'type parameter': 3,
  outer: 4,
};

/** The scopes of a file, the place that is being lowered, and their rows. */
export class Scopes {
  #current: Scope;
  readonly #bindings: TableRows;
  /** Those with a row. */
  readonly #byRow: Scope[] = [];
  /** What was looked up last: most names are looked up several times in a row. */
  #lastName: string | null = null;
  #lastPassed: ReadonlySet<Known> | undefined;
  #lastKnown: Known | undefined;

  /** @param isWhole Whether a name belongs to all of the scope that binds it, and members are no bare names in functions. */
  constructor(
    private readonly unit: UnitBuilder,
    end: number,
    private readonly isWhole: boolean,
  ) {
    this.#current = { kind: 'file', row: -1, symbol: -1, start: 0, end, parent: null, names: null };
    this.#bindings = unit.rows('bindings');
    this.#row(this.#current);
  }

  /** Opens a scope. @returns its row, -1 for a block, which has none until it is needed. */
  open(kind: ScopeKind, symbol: number, start: number, end: number, name = ''): number {
    this.#current = { kind, row: -1, symbol, start, end, parent: this.#current, names: null, name };
    return kind === 'block' ? -1 : this.#row(this.#current);
  }

  close(): void {
    this.#lastName = null;
    this.#current = this.#current.parent ?? this.#current;
  }

  get current(): Scope {
    return this.#current;
  }

  /** Runs with another scope as the innermost one. */
  within<T>(scope: Scope, run: () => T): T {
    const around = this.#current;
    this.#current = scope;
    this.#lastName = null;
    const made = run();
    this.#current = around;
    this.#lastName = null;
    return made;
  }

  /** A scope by its row. */
  at(row: number): Scope | undefined {
    return this.#byRow[row];
  }

  /** The row of the innermost scope that has one. */
  get row(): number {
    for (let scope: Scope | null = this.#current; scope; scope = scope.parent)
      if (scope.row >= 0) return scope.row;
    return 0;
  }

  /** The row of the innermost scope, which has one from then on. */
  ownRow(): number {
    return this.#row(this.#current);
  }

  /** The names of the namespaces around the place, each with a dot behind it. */
  get namespaces(): string {
    let path = '';
    for (let scope: Scope | null = this.#current; scope; scope = scope.parent)
      if (scope.kind === 'namespace' && scope.name) path = `${scope.name}.${path}`;
    return path;
  }

  /** The row of the innermost scope that is the file or a namespace. */
  get outermost(): number {
    let scope = this.#current;
    while (scope.parent && scope.kind !== 'namespace') scope = scope.parent;
    return this.#row(scope);
  }

  /** Where the innermost scope begins and ends, when it is a block or an unnamed function; null for all others. */
  get block(): { readonly start: number; readonly end: number } | null {
    const { kind, symbol } = this.#current;
    return !PLACES.has(kind) && symbol < 0 ? this.#current : null;
  }

  get inFunction(): boolean {
    for (let scope: Scope | null = this.#current; scope; scope = scope.parent) {
      if (scope.kind === 'function') return true;
      if (scope.kind === 'type' || PLACES.has(scope.kind)) return false;
    }
    return false;
  }

  /** Whether it stands among the members of a type: in its body, or in what extends it. */
  get isMember(): boolean {
    const { kind, symbol } = this.#current;
    return kind === 'extension' || (kind === 'type' && symbol >= 0);
  }

  /** Whether the innermost function or type is a type without a symbol. */
  get inPlace(): boolean {
    for (let scope: Scope | null = this.#current; scope; scope = scope.parent) {
      if (scope.kind === 'type') return scope.symbol < 0;
      if (scope.kind === 'function') return false;
    }
    return false;
  }

  has(name: string): boolean {
    return this.#current.names?.has(name) ?? false;
  }

  /** Whether a name is a parameter of the innermost scope: whatever else it binds there, it is that. */
  isParameter(name: string): boolean {
    const code = this.#current.names?.get(name);
    const known = code === undefined ? undefined : KNOWN[code & 7];
    return known === 'parameter' || known === 'receiver';
  }

  /** What a name is, by the innermost scope that has it. @param passed What is passed over. */
  lookup(name: string, passed?: ReadonlySet<Known>): Known | undefined {
    if (name === this.#lastName && passed === this.#lastPassed) return this.#lastKnown;
    this.#lastName = name;
    this.#lastPassed = passed;
    this.#lastKnown = this.find(name, this.#current, passed)?.known;
    return this.#lastKnown;
  }

  /** What a name is in a scope, by the innermost one around it that has it. @param passed What is passed over. */
  find(name: string, from: Scope = this.#current, passed?: ReadonlySet<Known>): FoundName | null {
    let isInside = true;
    for (let scope: Scope | null = from; scope; scope = scope.parent) {
      if (this.isWhole && scope.kind === 'type' && !isInside) continue;
      const code = scope.names?.get(name);
      const known = code === undefined ? undefined : KNOWN[code & 7];
      if (scope.kind !== 'block') isInside = false;
      if (code === undefined || known === undefined || passed?.has(known)) continue;
      const row = (code >> 3) - 1;
      if (known !== 'outer') return { known, row, scope };
      const isOfFile = (this.unit.get('bindings', 'flags', row) & BINDING_FLAGS.file) !== 0;
      while (isOfFile && scope.parent?.parent) scope = scope.parent;
    }
    return null;
  }

  /** Says that the innermost scope has a name. @param row Of its binding or symbol. */
  note(name: string, known: Known, row = -1): void {
    this.#lastName = null;
    const { names } = this.#current;
    if (names === null) this.#current.names = new Map();
    else if (this.isWhole) {
      const before = KNOWN[(names.get(name) ?? -1) & 7];
      if (names.has(name) && before !== undefined && STRENGTH[before] >= STRENGTH[known]) return;
    }
    this.#current.names?.set(name, ((row + 1) << 3) | KNOWN.indexOf(known));
  }

  /**
   * Binds a name that is assigned: in the innermost scope, or in the one that this says the name is of. @param isVariable Whether
   * others see it, where that is a file or a type.
   */
  assign(name: string, isVariable: boolean): void {
    const scope = this.#current;
    const code = scope.names?.get(name);
    if (code !== undefined && KNOWN[code & 7] === 'outer') {
      const flags = this.unit.get('bindings', 'flags', (code >> 3) - 1);
      if ((flags & BINDING_FLAGS.file) === 0) return;
      let file = scope;
      while (file.parent) file = file.parent;
      this.within(file, () => this.assign(name, true));
      return;
    }
    const isShared = isVariable && (scope.kind === 'file' || scope.kind === 'type');
    if (code === undefined || (isShared && KNOWN[code & 7] === 'local'))
      this.bind('local', name, { flags: isShared ? BINDING_FLAGS.shared : 0 });
  }

  /** Adds a binding in the innermost scope. */
  bind(kind: BindingKind, name: string, binding: NewBinding): number {
    const flags = binding.flags ?? 0;
    // In the order of the fields of the table.
    const row = this.#bindings.push(
      this.unit.text(name),
      BINDING_KINDS.indexOf(kind),
      this.ownRow(),
      binding.from ?? 0,
      binding.type ?? -1,
      binding.value ?? -1,
      binding.import ?? -1,
      flags,
    );
    // What functions share through the file is as good as a variable of the file.
    if (flags & BINDING_FLAGS.shared) this.note(name, 'symbol');
    else if (name !== '') this.note(name, kind, row);
    return row;
  }

  #row(scope: Scope): number {
    if (scope.row >= 0) return scope.row;
    let parent = scope.parent;
    while (parent && parent.row < 0) parent = parent.parent;
    scope.row = this.unit.add('scopes', {
      parent: parent ? parent.row : -1,
      kind: SCOPE_KINDS.indexOf(scope.kind),
      symbol: scope.symbol,
      name: scope.name ?? '',
    });
    this.#byRow[scope.row] = scope;
    return scope.row;
  }
}
