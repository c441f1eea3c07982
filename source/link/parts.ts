import type { LinkContext } from './context.js';
import { derivingParts, wholeOfOpen } from './open-types.js';
import type { Sym } from './unit-view.js';

/**
 * The parts of a type, in the order of paths: itself alone, unless it says that it is one of several. Of an open type those that
 * derive it from something.
 */
export function partsOf(ctx: LinkContext, symbol: Sym): readonly Sym[] {
  const { view, row } = symbol;
  if (view.rules.package === 'open') return derivingParts(ctx, symbol);
  if (!view.hasFlag(row, 'partial')) return [symbol];
  const name = view.symbolName(row);
  const scope = view.unit.symbols.scope[row] ?? -1;
  const outer = scope === 0 ? -1 : view.typeAround(scope);
  const places =
    outer >= 0
      ? partsOf(ctx, view.symbol(outer)).map((one) => ({
          in: one.view,
          scope: one.view.unit.symbols.body[one.row] ?? -1,
        }))
      : ctx.units
          .named(`${view.packageKey}#${name}`)
          .flatMap((path) => ctx.view(path) ?? [])
          .map((one) => ({ in: one, scope: 0 }));
  const found = places.flatMap(({ in: other, scope: at }) =>
    other
      .entries(at, name)
      .flatMap((entry) =>
        entry.table === 'symbol' && other.hasFlag(entry.row, 'partial') ? other.symbol(entry.row) : [],
      ),
  );
  return found.includes(symbol) ? found : [symbol];
}

/** The part that stands for all of a type. */
export function wholeOf(ctx: LinkContext, symbol: Sym): Sym {
  return symbol.view.rules.package === 'open'
    ? wholeOfOpen(ctx, symbol)
    : (partsOf(ctx, symbol)[0] ?? symbol);
}
