import { MOST_SCOPES, type UnitView } from '../unit-view.js';

/**
 * The scope that binds a name that stands in a scope; -1 where the file does not bind it. The names of a type's body are
 * seen in it alone, not in what it encloses.
 */
export function boundScope(view: UnitView, scope: number, name: string): number {
  let isFirst = true;
  let at = scope;
  for (let depth = 0; at >= 0 && depth < MOST_SCOPES; depth += 1) {
    if (isFirst || view.scopeKind(at) !== 'type') {
      const bound = boundIn(view, at, name);
      if (bound === 'file') return boundIn(view, 0, name) === 'here' ? 0 : -1;
      if (bound === 'here') return at;
    }
    isFirst = false;
    at = view.unit.scopes.parent[at] ?? -1;
  }
  return -1;
}

/** Whether a scope itself binds a name; `file`: it means the file's. */
function boundIn(view: UnitView, scope: number, name: string): 'here' | 'file' | null {
  for (const { table, row } of view.entries(scope, name)) {
    if (table === 'symbol') {
      if (!view.hasFlag(row, 'assigned')) return 'here';
    } else if (view.bindingKind(row) !== 'outer') return 'here';
    else if (view.bindingHas(row, 'file')) return 'file';
  }
  return null;
}

/** The definition that runs what stands in a scope; -1 for the file. Unnamed functions belong to what is around them. */
export function ownerOf(view: UnitView, scope: number): number {
  for (let at = scope; at >= 0; at = view.unit.scopes.parent[at] ?? -1) {
    const kind = view.scopeKind(at);
    const symbol = view.unit.scopes.symbol[at] ?? -1;
    if (symbol >= 0 && (kind === 'function' || kind === 'type')) return symbol;
  }
  return -1;
}

/** The class whose instance a scope's receiver is: the one around the function that binds it; -1 for none. */
export function classOf(view: UnitView, scope: number): number {
  const symbol = view.typeAround(scope);
  return symbol >= 0 && view.facts.definitions[symbol]?.form === 'class' ? symbol : -1;
}

/** Of symbols of one name those that are more than signatures, all where none is. */
export function definedAmong(view: UnitView, rows: readonly number[]): readonly number[] {
  const written = rows.filter((row) => !view.facts.definitions[row]?.declaration_only);
  return written.length > 0 ? written : rows;
}
