import { LIMITS } from '../../../schema/index.js';
import { Ancestors, inTurn, nearest } from '../../resolution/ancestors.js';
import type { Program } from '../../resolution/program.js';
import type { Sym, UnitView } from '../unit-view.js';
import type { NameContext, Named } from './modules.js';
import { definedAmong } from './scopes.js';

/** One class in a class's method resolution order; null stands for one that the program does not know. */
export type Ancestor = Sym | null;

/** What classes are looked up in: see `FlowContext`. */
export interface ClassContext extends NameContext {
  /** What a written base leads to. */
  baseNamed(view: UnitView, type: number): Named | null;
}

const ancestors = new WeakMap<Program, Ancestors<Sym, Sym>>();

/** Whether a symbol is a class. */
export function isClass({ view, row }: Sym): boolean {
  return view.facts.definitions[row]?.form === 'class';
}

/** The member that a class itself has under a name: of several what reads it, and of redefinitions the last one. */
export function ownMember({ view, row }: Sym, name: string): Sym | null {
  const body = view.unit.symbols.body[row] ?? -1;
  if (body < 0) return null;
  const rows = view.entries(body, name).flatMap((entry) => (entry.table === 'symbol' ? entry.row : []));
  const [first] = rows;
  if (first === undefined) return null;
  return view.symbol(rows.length === 1 ? first : memberAmong(view, rows));
}

function memberAmong(view: UnitView, rows: readonly number[]): number {
  const written = definedAmong(view, rows);
  const writing = view.rules.flow?.decorators.writing;
  const reading = written.filter((row) => !decoratorsOf(view, row).some((path) => writing?.test(path)));
  const callable = reading.filter((row) => view.facts.definitions[row]?.form !== 'variable');
  return callable[callable.length - 1] ?? reading[0] ?? written[0] ?? rows[0] ?? -1;
}

const decoratorPaths = new WeakMap<UnitView, ReadonlyMap<number, readonly string[]>>();

/** The dotted paths of what decorates a symbol, without arguments; empty for what has none. */
export function decoratorsOf(view: UnitView, symbol: number): readonly string[] {
  let known = decoratorPaths.get(view);
  if (!known) {
    const made = new Map<number, string[]>();
    const { decorators } = view.unit;
    for (let row = 0; row < decorators.length; row += 1) {
      const owner = decorators.symbol[row] ?? -1;
      const list = made.get(owner) ?? [];
      list.push(calledPath(view, decorators.expression[row] ?? -1));
      made.set(owner, list);
    }
    known = made;
    decoratorPaths.set(view, known);
  }
  return known.get(symbol) ?? NO_DECORATORS;
}

const NO_DECORATORS: readonly string[] = [];

/** Whether a method is read like a field. */
export function isProperty({ view, row }: Sym): boolean {
  return decoratorsOf(view, row).some((path) => view.rules.flow?.decorators.property.test(path));
}

/** Whether a method is handed its class. */
export function isClassMethod({ view, row }: Sym): boolean {
  return decoratorsOf(view, row).some((path) => view.rules.flow?.decorators.classMethod.test(path));
}

/** The dotted path of an expression, or of what it calls; empty for what is neither. */
function calledPath(view: UnitView, expression: number): string {
  const isCall = expression >= 0 && view.expressionKind(expression) === 'call';
  return pathOf(view, isCall ? (view.unit.expressions.base[expression] ?? -1) : expression)?.join('.') ?? '';
}

/** The names of a dotted path of names; null for any other expression. */
export function pathOf(view: UnitView, expression: number): string[] | null {
  const names: string[] = [];
  for (let row = expression; row >= 0; row = view.unit.expressions.base[row] ?? -1) {
    const kind = view.expressionKind(row);
    if (kind !== 'name' && kind !== 'member') return null;
    names.unshift(view.expressionName(row));
    if (kind === 'name') return names;
  }
  return null;
}

/** A member of a class, and whether the class itself has it. */
export interface ClassMember {
  readonly symbol: Sym;
  readonly isInherited: boolean;
}

/**
 * A member of a class by its method resolution order; null when no class of the program has it, or when an ancestor
 * outside the program comes first and might.
 *
 * @param skipsOwn Begins after the class itself.
 */
export function memberOf(ctx: ClassContext, owner: Sym, name: string, skipsOwn = false): ClassMember | null {
  const own = skipsOwn ? null : ownMember(owner, name);
  if (own) return { symbol: own, isInherited: false };
  for (const ancestor of ancestorsOf(ctx, owner)) {
    if (!ancestor) return null;
    const symbol = ownMember(ancestor, name);
    if (symbol) return { symbol, isInherited: true };
  }
  return null;
}

/**
 * The classes behind a class, nearest first, {@link LIMITS}.ancestors of them; null stands for one that the program does
 * not know, and at the end for all that are further away.
 */
export function ancestorsOf(ctx: ClassContext, owner: Sym): readonly Ancestor[] {
  const { program } = ctx;
  let known = ancestors.get(program);
  if (!known) {
    known = new Ancestors(program.lookups, { keyOf: (one) => one, merged });
    ancestors.set(program, known);
  }
  return known.of(owner, (one) => parentsOf(ctx, one));
}

/** The classes that a class names as its bases. */
function parentsOf(ctx: ClassContext, owner: Sym): readonly Ancestor[] {
  // Noted: what is cached for all files rests on the file of the class.
  const view = ctx.view(owner.view.path);
  if (!view) return [null];
  const parents: Ancestor[] = [];
  for (const base of view.basesOf(owner.row)) {
    const type = view.unit.bases.type[base] ?? -1;
    const named = ctx.baseNamed(view, type);
    if (view.rules.flow?.emptyBases.has(baseName(view, type, named))) continue;
    parents.push(named?.kind === 'symbol' && named.symbol !== owner ? named.symbol : null);
  }
  return parents;
}

/** The full name of a base outside the program, the bare one of what is bound nowhere; empty for one of the program. */
function baseName(view: UnitView, type: number, named: Named | null): string {
  if (named) return named.kind === 'external' ? `${named.package}.${named.name}` : '';
  return type >= 0 && (view.unit.types.base[type] ?? -1) < 0 ? view.typeName(type) : '';
}

/** The C3 order of what is behind a class; where its classes contradict each other, one behind the other. */
function merged(lists: readonly (readonly Ancestor[])[], parents: readonly Ancestor[]): readonly Ancestor[] {
  return c3([...lists, parents]) ?? inTurn(lists, (one) => one);
}

/** The C3 order; null when the classes contradict each other. */
function c3(lists: readonly (readonly Ancestor[])[]): readonly Ancestor[] | null {
  // One parent and what is behind it: nearly always.
  const [first = [], ...others] = lists;
  if (others.length < 2) {
    const near = nearest(first);
    const unknown = near.indexOf(null);
    return unknown < 0 ? near : near.slice(0, unknown + 1);
  }
  const order: Ancestor[] = [];
  // In how many lists a class stands behind another one.
  const behind = new Map<Sym, number>();
  const count = (one: Ancestor | undefined, by: number) => {
    if (one) behind.set(one, (behind.get(one) ?? 0) + by);
  };
  for (const list of lists) for (const one of list.slice(1)) count(one, 1);
  let rest = lists.map((list) => ({ list, at: 0 })).filter(({ list }) => list.length > 0);
  while (rest.length > 0 && order.length < LIMITS.ancestors.max) {
    const heads = rest.map(({ list, at }) => list[at] ?? null);
    const next = heads.find((head) => head === null || !behind.get(head));
    if (next === undefined) return null;
    order.push(next);
    // What comes after a class that is not known is not looked at: nothing can be said of it.
    if (next === null) return order;
    for (const one of rest)
      if ((one.list[one.at] ?? null) === next) {
        one.at += 1;
        count(one.list[one.at], -1);
      }
    rest = rest.filter(({ list, at }) => at < list.length);
  }
  return rest.length > 0 ? [...order, null] : order;
}
