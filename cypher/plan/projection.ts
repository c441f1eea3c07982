import type { Expression, Projection, ProjectionItem, SortItem } from '../ast.js';
import { aggregates, planAggregation } from './aggregation.js';
import { type Computation, computation, slotExpression, withSlots } from './computation.js';
import type { PlanContext, Planned } from './context.js';
import { mapParts, NOWHERE, shapeOf } from './expression-tree.js';
import type { Plan, ProjectPlan } from './plan.js';
import { Frame, Scope } from './scope.js';

/** A projection and where its columns are. */
export interface Projected extends Planned {
  readonly columns: readonly { readonly name: string; readonly slot: number }[];
}

/** Plans WITH or RETURN. ORDER BY and WHERE see what is projected and, unless rows were joined, what was before. */
export function planProjection(
  context: PlanContext,
  projection: Projection & { readonly where?: Expression | null },
  from: Planned,
): Projected {
  const whole = { ...projection, items: [...allItems(projection, from.scope), ...projection.items] };
  const where = projection.where ?? null;
  if (aggregates(whole)) {
    const groups = planAggregation(context, whole, from);
    const orderBy = sortItems(whole.orderBy, groups.orderBy);
    return planRest(context, { ...whole, items: groups.items, orderBy, where }, groups, whole.items);
  }
  const isPlain = !whole.distinct && whole.orderBy.length === 0 && where === null;
  if (!isPlain) return planRest(context, { ...whole, where }, from, whole.items);
  const { plan, scope, items } = hoistItems(context, whole.items, from);
  const projected = narrow(plan, scope, items);
  return { ...projected, plan: planSlice(whole, projected) };
}

type Value = { readonly name: string; readonly value: Computation };

function allItems({ all }: Projection, scope: Scope): ProjectionItem[] {
  if (!all) return [];
  return scope.visible.map((name) => ({
    expression: { kind: 'variable', name, span: NOWHERE },
    alias: null,
    name,
    span: NOWHERE,
  }));
}

function sortItems(sorted: readonly SortItem[], expressions: readonly Expression[]): SortItem[] {
  return sorted.map((item, index) => ({ ...item, expression: expressions[index] ?? item.expression }));
}

function hoistItems(
  context: PlanContext,
  items: readonly ProjectionItem[],
  from: Planned,
): Planned & { readonly items: Value[] } {
  let at = from;
  const values = items.map(({ name, expression }) => {
    const { plan, scope, value } = context.hoist(expression, at);
    at = { plan, scope };
    return { name, value };
  });
  return { ...at, items: values };
}

/**
 * A projection that also joins, sorts or filters: values go into the rows at hand first, so that what stands behind them
 * sees both, and only the projected ones stay.
 * @param written The items as they are in the query: an ORDER BY that repeats one means its value.
 */
function planRest(
  context: PlanContext,
  projection: Projection & { readonly where: Expression | null },
  from: Planned,
  written: readonly ProjectionItem[],
): Projected {
  const hoisted = hoistItems(context, projection.items, from);
  const { frame } = hoisted.scope;
  const items: ProjectPlan['items'][number][] = [];
  const slots = hoisted.items.map(({ name, value }) => {
    const known =
      value.expression.kind === 'variable' ? value.scope.slotOf(value.expression.name) : undefined;
    if (known !== undefined) return known;
    const slot = frame.slot();
    items.push({ name, slot, value });
    return slot;
  });
  let plan = hoisted.plan;
  if (items.length > 0) plan = { kind: 'project', input: plan, estimate: plan.estimate, items, frame: null };
  const names = projection.items.map(({ name }, index) => [name, slots[index] ?? -1] as const);
  const base = projection.distinct ? new Scope(frame) : hoisted.scope;
  let scope = withSlots(base.with(names), slots);
  const inPlace = repeats(written, projection.items, slots);
  if (projection.distinct) plan = { kind: 'distinct', input: plan, estimate: plan.estimate, slots };
  const keys = projection.orderBy.map(({ expression, descending }) => {
    const key = context.hoist(inPlace(expression), { plan, scope });
    ({ plan, scope } = key);
    return { value: key.value, descending };
  });
  if (keys.length > 0) plan = planSort(projection, keys, { plan, scope });
  plan = planSlice(projection, { plan, scope });
  if (projection.where !== null) {
    const condition = context.hoist(inPlace(projection.where), { plan, scope });
    ({ plan, scope } = condition);
    plan = { kind: 'filter', input: plan, estimate: plan.estimate * 0.5, predicates: [condition.value] };
  }
  const values = names.map(([name, slot]) => ({ name, value: computation(slotExpression(slot), scope) }));
  return narrow(plan, scope, values);
}

/** Puts the value of an item wherever its whole expression is repeated. */
function repeats(
  written: readonly ProjectionItem[],
  items: readonly ProjectionItem[],
  slots: readonly number[],
): (expression: Expression) => Expression {
  const places = new Map<string, Expression>();
  const take = ({ expression }: ProjectionItem, index: number) => {
    if (expression.kind !== 'variable') places.set(shapeOf(expression), slotExpression(slots[index] ?? -1));
  };
  written.forEach(take);
  items.forEach(take);
  const inPlace = (expression: Expression): Expression => {
    const place = places.get(shapeOf(expression));
    // What is said of it is said of where it is written.
    return place === undefined ? mapParts(expression, inPlace) : { ...place, span: expression.span };
  };
  return inPlace;
}

function planSort(
  { skip, limit }: Projection,
  keys: readonly { readonly value: Computation; readonly descending: boolean }[],
  { plan, scope }: Planned,
): Plan {
  const count = (expression: Expression) => computation(expression, scope);
  const first = limit && { skip: skip && count(skip), limit: count(limit) };
  return { kind: 'sort', input: plan, estimate: plan.estimate, keys, first };
}

function planSlice({ skip, limit }: Projection, { plan, scope }: Planned): Plan {
  let sliced = plan;
  if (skip !== null) {
    sliced = { kind: 'skip', input: sliced, estimate: sliced.estimate, count: computation(skip, scope) };
  }
  if (limit !== null) {
    sliced = { kind: 'limit', input: sliced, estimate: sliced.estimate, count: computation(limit, scope) };
  }
  return sliced;
}

/** New rows with nothing but the values. */
function narrow(plan: Plan, scope: Scope, values: readonly Value[]): Projected {
  const frame = new Frame();
  const items = values.map(({ name, value }) => ({ name, slot: frame.slot(), value }));
  const labels = items.flatMap(({ name, value: { expression } }) => {
    const known = expression.kind === 'variable' ? scope.labels.get(expression.name) : undefined;
    return known === undefined ? [] : [[name, known] as const];
  });
  const columns = items.map(({ name, slot }) => ({ name, slot }));
  return {
    plan: { kind: 'project', input: plan, estimate: plan.estimate, items, frame },
    scope: new Scope(frame, new Map(columns.map(({ name, slot }) => [name, slot])), new Map(labels)),
    columns,
  };
}
