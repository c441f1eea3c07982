import type { Definition, Reference } from '../../facts.js';
import type { Sym, UnitView } from '../unit-view.js';

/** Functions of one name that branches define and a call may reach: of more no one is listed. */
export const MOST_TWINS = 24;

/**
 * The functions of one name that branches of a scope define, `if … def f … else … def f`, when a symbol is one of them:
 * which one there is depends on the branch that is run. Empty when there is only one, and for what is asked inside of one
 * of the branches. In source order, the symbol itself included; no more than one beyond {@link MOST_TWINS}.
 */
export function conditionalTwins(symbol: Sym, from: UnitView, { line }: Reference): readonly Sym[] {
  const { view, row } = symbol;
  const definition = view.facts.definitions[row];
  if (!definition?.branch) return [];
  const known: number[] = [row];
  for (const entry of view.entries(view.unit.symbols.scope[row] ?? -1, definition.name)) {
    const other = entry.table === 'symbol' ? view.facts.definitions[entry.row] : undefined;
    if (other && entry.row !== row && areApart(other, definition)) known.push(entry.row);
    if (known.length > MOST_TWINS) break;
  }
  const isInside = (one: number) => {
    const { branch } = view.facts.definitions[one] ?? {};
    return from === view && branch !== undefined && line >= branch[0] && line <= branch[1];
  };
  if (known.length < 2 || known.some(isInside)) return [];
  return known.sort((a, b) => a - b).map((one) => view.symbol(one));
}

/** Whether two functions stand in branches of which neither holds the other. Accessors of a property are no twins. */
function areApart(a: Definition, b: Definition): boolean {
  if (!a.branch || !b.branch || a.decorators.join() !== b.decorators.join()) return false;
  return a.branch[1] < b.branch[0] || b.branch[1] < a.branch[0];
}
