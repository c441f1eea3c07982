import {
  BINDING_KINDS,
  type BindingKind,
  SCOPE_KINDS,
  type ScopeKind,
  type UnitBuilder,
} from '../ir/index.js';
import type { NewBinding } from './rules.js';

/** What a name is in the scope that has it. */
export type Known = BindingKind | 'symbol';

/** All that a name can be, by number; at most eight. */
const KNOWN: readonly Known[] = [...BINDING_KINDS, 'symbol'];

/** A scope while its inside is being lowered. */
interface OpenScope {
  readonly kind: ScopeKind;
  /** Its row; a block has one only when a name is bound in it. */
  row: number;
  /** The symbol whose body or members it holds; -1 for none. */
  readonly symbol: number;
  readonly start: number;
  readonly end: number;
  /** By name the number of what it is in {@link KNOWN}, and above three bits its row and one more. */
  names: Map<string, number> | null;
}

/** The scopes around the place that is being lowered, and their rows. */
export class Scopes {
  readonly #open: OpenScope[] = [];
  /** What was looked up last: most names are looked up several times in a row. */
  #lastName: string | null = null;
  #lastPassed: ReadonlySet<Known> | undefined;
  #lastKnown: Known | undefined;

  constructor(
    private readonly unit: UnitBuilder,
    end: number,
  ) {
    this.#open.push({ kind: 'file', row: -1, symbol: -1, start: 0, end, names: null });
    this.#row(0);
  }

  /** Opens a scope. @returns its row, -1 for a block, which has none until it is needed. */
  open(kind: ScopeKind, symbol: number, start: number, end: number): number {
    this.#open.push({ kind, row: -1, symbol, start, end, names: null });
    return kind === 'block' ? -1 : this.#row(this.#open.length - 1);
  }

  close(): void {
    this.#lastName = null;
    this.#open.pop();
  }

  /** The row of the innermost scope that has one. */
  get row(): number {
    for (let at = this.#open.length - 1; at > 0; at -= 1) {
      const row = this.#open[at]?.row ?? -1;
      if (row >= 0) return row;
    }
    return 0;
  }

  /** The row of the innermost scope, which has one from then on. */
  ownRow(): number {
    return this.#row(this.#open.length - 1);
  }

  /** Where the innermost scope begins and ends, when it is a block or an unnamed function; null for all others. */
  get block(): { readonly start: number; readonly end: number } | null {
    const last = this.#open[this.#open.length - 1];
    return last && last.kind !== 'file' && last.symbol < 0 ? last : null;
  }

  get inFunction(): boolean {
    for (let at = this.#open.length - 1; at > 0; at -= 1) {
      const { kind } = this.#open[at] ?? {};
      if (kind === 'function') return true;
      if (kind === 'type') return false;
    }
    return false;
  }

  /** Whether the innermost function or type is a type without a symbol. */
  get inPlace(): boolean {
    for (let at = this.#open.length - 1; at > 0; at -= 1) {
      const { kind, symbol = -1 } = this.#open[at] ?? {};
      if (kind === 'type') return symbol < 0;
      if (kind === 'function') return false;
    }
    return false;
  }

  has(name: string): boolean {
    return this.#open[this.#open.length - 1]?.names?.has(name) ?? false;
  }

  /** What a name is, by the innermost scope that has it. @param passed What is passed over. */
  lookup(name: string, passed?: ReadonlySet<Known>): Known | undefined {
    if (name === this.#lastName && passed === this.#lastPassed) return this.#lastKnown;
    this.#lastName = name;
    this.#lastPassed = passed;
    this.#lastKnown = this.#lookup(name, passed);
    return this.#lastKnown;
  }

  #lookup(name: string, passed?: ReadonlySet<Known>): Known | undefined {
    for (let at = this.#open.length - 1; at >= 0; at -= 1) {
      const code = this.#open[at]?.names?.get(name);
      if (code === undefined) continue;
      const known = KNOWN[code & 7];
      if (known !== undefined && !passed?.has(known)) return known;
    }
    return undefined;
  }

  /** What a name is, and the row of its binding or symbol. */
  find(name: string): { readonly known: Known; readonly row: number } | null {
    for (let at = this.#open.length - 1; at >= 0; at -= 1) {
      const code = this.#open[at]?.names?.get(name);
      const known = code === undefined ? undefined : KNOWN[code & 7];
      if (code !== undefined && known !== undefined) return { known, row: (code >> 3) - 1 };
    }
    return null;
  }

  /** Says that the innermost scope has a name. @param row Of its binding or symbol. */
  note(name: string, known: Known, row = -1): void {
    this.#lastName = null;
    const last = this.#open[this.#open.length - 1];
    if (!last) return;
    last.names ??= new Map();
    last.names.set(name, ((row + 1) << 3) | KNOWN.indexOf(known));
  }

  /** Adds a binding in the innermost scope. */
  bind(kind: BindingKind, name: string, binding: NewBinding): number {
    const row = this.unit.add('bindings', {
      name,
      kind: BINDING_KINDS.indexOf(kind),
      scope: this.ownRow(),
      from: binding.from ?? 0,
      type: binding.type ?? -1,
      value: binding.value ?? -1,
      import: binding.import ?? -1,
      flags: binding.flags ?? 0,
    });
    if (name !== '') this.note(name, kind, row);
    return row;
  }

  #row(index: number): number {
    const scope = this.#open[index];
    if (!scope) return -1;
    if (scope.row >= 0) return scope.row;
    const parent = index === 0 ? -1 : this.#rowAround(index);
    scope.row = this.unit.add('scopes', {
      parent,
      kind: SCOPE_KINDS.indexOf(scope.kind),
      symbol: scope.symbol,
    });
    return scope.row;
  }

  #rowAround(index: number): number {
    for (let at = index - 1; at > 0; at -= 1) {
      const row = this.#open[at]?.row ?? -1;
      if (row >= 0) return row;
    }
    return 0;
  }
}
