import type { UnitView } from '../unit-view.js';
import { ownerOf } from './scopes.js';
import type { CallFrame, Value } from './value.js';

/** The call that what a definition runs is run by: its own, or that of one around it. */
export function frameOf(frame: CallFrame | null, view: UnitView, owner: number): CallFrame | null {
  if (!frame) return null;
  for (let at = owner; at >= 0; at = ownerOf(view, view.unit.symbols.scope[at] ?? -1))
    for (let one: CallFrame | null = frame; one; one = one.outer)
      if (one.symbol.view === view && one.symbol.row === at) return one;
  return null;
}

/** The same for what stands in a scope. */
export function frameAround(frame: CallFrame | null, view: UnitView, scope: number): CallFrame | null {
  return frame && frameOf(frame, view, ownerOf(view, scope));
}

/** The instance that a receiver is, or the class. */
export function receiverValue(view: UnitView, type: number, isType: boolean): Value {
  const symbol = view.symbol(type);
  return isType
    ? { kind: 'class', symbol, orDerived: false, via: 'exact' }
    : { kind: 'instance', symbol, made: null, via: 'exact' };
}
