import type { Sym, UnitView } from '../unit-view.js';
import { ancestorsOf } from './classes.js';
import { filled } from './containers.js';
import type { FlowContext } from './context.js';
import { flowsOf, isLiteral, isNarrowed, type Reaching, reaching, receiverIn } from './flows.js';
import { frameAround, frameOf } from './frames.js';
import { exportedName, importedName, type Named, symbolsNamed } from './modules.js';
import { boundScope, ownerOf } from './scopes.js';
import { type CallFrame, inferred, NOTHING, oneOf, only, UNKNOWN, type ValueSet } from './value.js';

/** What a bare name means by scopes and imports; `local`: a parameter or variable of a function, which has no symbol. */
export function nameNamed(ctx: FlowContext, view: UnitView, row: number): Named | 'local' | null {
  const { expressions } = view.unit;
  return namedAt(ctx, view, expressions.scope[row] ?? -1, view.expressionName(row), expressions.at[row] ?? 0);
}

/** The same for a name at an offset in a scope. */
export function namedAt(
  ctx: FlowContext,
  view: UnitView,
  scope: number,
  name: string,
  at: number,
): Named | 'local' | null {
  const bound = boundScope(view, scope, name);
  if (bound >= 0) {
    if (parameterIn(view, bound, name) >= 0) return 'local';
    const symbols = symbolsNamed(view, bound, name);
    if (symbols.length > 0) {
      const row = chosenSymbol(view, symbols, scope, at);
      return { kind: 'symbol', symbol: view.symbol(row), via: 'exact' };
    }
    const imports = importsIn(view, bound, name);
    for (const binding of imports) {
      const named = importedName(ctx, view, binding);
      if (named) return named;
    }
    if (imports.length === 0) return 'local';
  }
  return exportedName(ctx, view.path, name);
}

/** The parameter, or type parameter, that a scope has under a name; -1 for none. */
export function parameterIn(view: UnitView, scope: number, name: string): number {
  for (const { table, row } of view.entries(scope, name))
    if (table === 'binding' && PARAMETERS.has(view.bindingKind(row))) return row;
  return -1;
}

const PARAMETERS = new Set<string>(['parameter', 'receiver', 'type parameter']);

function importsIn(view: UnitView, scope: number, name: string): number[] {
  return view
    .entries(scope, name)
    .flatMap(({ table, row }) => (table === 'binding' && view.bindingKind(row) === 'import' ? row : []));
}

/** Of several definitions of one name in a scope the last one above a place, else the last one of all. */
function chosenSymbol(view: UnitView, rows: readonly number[], scope: number, at: number): number {
  const [first = -1] = rows;
  if (rows.length < 2) return first;
  let found = -1;
  for (const row of rows)
    if (flowsOf(view).definedAt(view, row) <= at || holds(view, row, scope)) found = row;
  return found >= 0 ? found : (rows[rows.length - 1] ?? first);
}

/** Whether a scope lies in the body of a symbol. */
function holds(view: UnitView, symbol: number, scope: number): boolean {
  const body = view.unit.symbols.body[symbol] ?? -1;
  for (let at = scope; at >= 0 && body >= 0; at = view.unit.scopes.parent[at] ?? -1)
    if (at === body) return true;
  return false;
}

/** What a bare name can be at a place: by what was assigned to it, handed over, defined or imported. */
export function nameValues(ctx: FlowContext, view: UnitView, row: number, frame: CallFrame | null): ValueSet {
  const { expressions } = view.unit;
  const name = view.expressionName(row);
  const scope = expressions.scope[row] ?? -1;
  const at = expressions.at[row] ?? 0;
  const bound = boundScope(view, scope, name);
  if (bound >= 0) {
    const place = ownerOf(view, scope) === ownerOf(view, bound) ? at : null;
    const found = reaching(view, bound, name, place);
    if (found?.isInner || !isDeclared(view, bound, name)) {
      const values = assigned(ctx, { view, scope: bound, name, at: place }, found, frame);
      if (values) return values;
    }
  }
  const named = namedAt(ctx, view, scope, name, at);
  return named && named !== 'local' ? namedValues(ctx, named, frame) : UNKNOWN;
}

/** Whether a scope defines or imports a name: then that is what it is, whatever else is assigned. */
function isDeclared(view: UnitView, scope: number, name: string): boolean {
  return view.entries(scope, name).some(({ table, row }) => {
    if (table === 'binding') return view.bindingKind(row) === 'import';
    return !view.hasFlag(row, 'assigned') && view.facts.definitions[row]?.form !== 'variable';
  });
}

/** What something that was found by its name is as a value. */
export function namedValues(ctx: FlowContext, named: Named, frame: CallFrame | null): ValueSet {
  return named.kind === 'symbol' ? symbolValues(ctx, named.symbol, named.via, frame) : only(named);
}

/** What a symbol is as a value; of a variable what all of its scope assigns to it. */
export function symbolValues(
  ctx: FlowContext,
  symbol: Sym,
  via: (Named & { kind: 'symbol' })['via'],
  frame: CallFrame | null,
): ValueSet {
  const { view, row } = symbol;
  switch (view.facts.definitions[row]?.form) {
    case 'class':
      return only({ kind: 'class', symbol, orDerived: false, via });
    case 'function':
    case 'method':
      return only({
        kind: 'function',
        symbol,
        self: null,
        around: frameAround(frame, view, view.unit.symbols.scope[row] ?? -1),
        via,
      });
    case 'variable':
      break;
    default:
      return UNKNOWN;
  }
  const scope = view.unit.symbols.scope[row] ?? -1;
  const name = view.symbolName(row);
  const found = reaching(view, scope, name, null);
  return assigned(ctx, { view, scope, name, at: null }, found, null) ?? UNKNOWN;
}

/** A variable and where it is asked for; `at` null: from outside of its scope. */
interface Variable {
  readonly view: UnitView;
  readonly scope: number;
  readonly name: string;
  readonly at: number | null;
}

/** What was assigned to a variable or handed to a parameter; null when nothing was. */
function assigned(
  ctx: FlowContext,
  variable: Variable,
  found: Reaching | null,
  frame: CallFrame | null,
): ValueSet | null {
  const { view, scope, name, at } = variable;
  if (isNarrowed(found)) {
    const before = assigned(ctx, variable, reaching(view, scope, name, at, false), frame);
    const narrowed = incoming(ctx, variable, found, frame);
    return before && isDerived(ctx, before, narrowed) ? before : narrowed;
  }
  const declared = flowsOf(view).declared(scope, name);
  const annotated = declared < 0 ? null : ctx.annotated(view, declared, null);
  if (annotated) return inferred(annotated);
  const parameter = parameterIn(view, scope, name);
  if (!found && parameter < 0) return null;
  const values = incoming(ctx, variable, found, frame);
  if (parameter < 0 || found?.isWhole) return filled(ctx, values, variable, frame);
  const first = ctx.parameter(view, scope, parameter, frame);
  const isReceiver = receiverIn(view, scope, name) >= 0;
  const all = found ? oneOf([inferred(first), values]) : isReceiver ? first : inferred(first);
  return filled(ctx, all, variable, frame);
}

/** What flows into a variable. */
function incoming(
  ctx: FlowContext,
  { view, scope }: Variable,
  found: Reaching | null,
  frame: CallFrame | null,
): ValueSet {
  if (!found) return NOTHING;
  if (found.flows === null) return UNKNOWN;
  const owner = ownerOf(view, scope);
  const parts = found.flows.map((flow) =>
    // What another function empties may be empty or not.
    isLiteral(view, flow) && flow.owner !== owner
      ? UNKNOWN
      : ctx.flowing(view, flow, frameOf(frame, view, flow.owner)),
  );
  return inferred(oneOf(parts));
}

/** Whether values surely are instances of classes that derive from those of others. */
function isDerived(ctx: FlowContext, values: ValueSet, others: ValueSet): boolean {
  if (values.incomplete || values.all.length === 0 || others.all.length === 0) return false;
  return values.all.every(
    (value) =>
      value.kind === 'instance' &&
      others.all.every(
        (other) => other.kind === 'instance' && ancestorsOf(ctx, value.symbol).includes(other.symbol),
      ),
  );
}
