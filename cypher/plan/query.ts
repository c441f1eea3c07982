import type { Clause, Expression, Projection, ProjectionItem, Query, SingleQuery, SortItem } from '../ast.js';
import { isAggregate } from '../check/index.js';
import { CypherError } from '../cypher-error.js';
import { aggregates, planAggregation } from './aggregation.js';
import { type Computation, computation, slotExpression, withSlots } from './computation.js';
import type { PlanContext, Planned, PlannedQuery } from './context.js';
import { mapParts, NOWHERE, namesInQuery, shapeOf, someOf } from './expression-tree.js';
import { keepAround } from './keep-around.js';
import { isRowwise, type Plan, type ProjectPlan, type UnionPlan } from './plan.js';
import { Frame, Scope } from './scope.js';

/** A projection and where its columns are. */
interface Projected extends Planned {
  readonly columns: readonly { readonly name: string; readonly slot: number }[];
}

/** Plans WITH or RETURN. ORDER BY and WHERE see what is projected and, unless rows were joined, what was before. */
function planProjection(
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

/** Plans a query: its parts, and how UNION joins them. */
export function planQuery(
  context: PlanContext,
  query: Query,
  from: Planned,
  countsRows: boolean,
): PlannedQuery {
  const isAll = query.unionAll.every((all) => all);
  const parts = query.parts.map((part) => planPart(context, part, from, countsRows && isAll));
  const [first] = parts;
  if (first === undefined || parts.length === 1) return first ?? { plan: from.plan, columns: [] };
  const frame = new Frame();
  const columns = first.columns.map(({ name }) => ({ name, slot: frame.slot() }));
  const slots = columns.map(({ slot }) => slot);
  const inputs = parts.map(({ plan, columns: own }) => ({
    plan,
    slots: columns.map(({ name }) => own.find((column) => column.name === name)?.slot ?? -1),
  }));
  const estimate = parts.reduce((sum, { plan }) => sum + plan.estimate, 0);
  const joined: UnionPlan = { kind: 'union', estimate, inputs, frame, slots };
  return { plan: isAll ? joined : { kind: 'distinct', input: joined, estimate, slots }, columns };
}

function planPart(
  context: PlanContext,
  { clauses }: SingleQuery,
  from: Planned,
  countsRows: boolean,
): PlannedQuery {
  const counting = countingFrom(clauses, countsRows);
  let at = from;
  let columns: PlannedQuery['columns'] = [];
  clauses.forEach((clause, index) => {
    const next = planClause(context, clause, at, counting[index] ?? true);
    at = next;
    columns = next.columns ?? [];
  });
  return { plan: at.plan, columns };
}

function planClause(
  context: PlanContext,
  clause: Clause,
  from: Planned,
  countsRows: boolean,
): Planned & { readonly columns?: PlannedQuery['columns'] } {
  switch (clause.kind) {
    case 'match': {
      const parts = { patterns: clause.patterns, where: clause.where, countsRows };
      if (!clause.optional) return context.match(parts, from);
      const inner = context.match(parts, { plan: { kind: 'argument', estimate: 1 }, scope: from.scope });
      const { frame, labels } = from.scope;
      const estimate = from.plan.estimate * Math.max(1, inner.plan.estimate);
      return {
        plan: {
          kind: 'apply',
          input: from.plan,
          estimate,
          inner: inner.plan,
          mode: { kind: 'optional' },
          ordinal: frame.slot(),
          constant: false,
        },
        scope: new Scope(frame, inner.scope.slots, labels),
      };
    }
    case 'unwind': {
      const { plan, scope, value } = context.hoist(clause.list, from);
      const { slot, scope: wider } = scope.local(clause.variable.name);
      const { name } = clause.variable;
      const estimate = plan.estimate * 10;
      return { plan: { kind: 'unwind', input: plan, estimate, list: value, slot, name }, scope: wider };
    }
    case 'call subquery':
      return planCall(context, clause, from);
    case 'with':
    case 'return':
      return planProjection(context, clause, from);
    default:
      throw new CypherError('CYPHER_UNSUPPORTED', `A ${clause.kind} clause cannot be run.`, {
        fault: { kind: 'Unsupported', phase: 'compile time', detail: 'Unsupported' },
        span: clause.span,
      });
  }
}

function planCall(
  context: PlanContext,
  { query, imports, scoped }: Extract<Clause, { kind: 'call subquery' }>,
  { plan, scope }: Planned,
): Planned {
  const names = imports === '*' ? scope.visible : (imports ?? []).map(({ name }) => name);
  const inner = context.query(
    scoped ? keepAround(query, names) : query,
    { plan: { kind: 'argument', estimate: 1 }, scope: scope.only(names) },
    true,
  );
  const values = inner.columns.map(({ name, slot }) => ({ name, from: slot, to: scope.frame.slot() }));
  const isUnit = query.parts.every(({ clauses }) => clauses.at(-1)?.kind !== 'return');
  if (isUnit) return { plan, scope };
  const used = namesInQuery(query);
  return {
    plan: {
      kind: 'apply',
      input: plan,
      estimate: plan.estimate * Math.max(1, inner.plan.estimate),
      inner: inner.plan,
      mode: { kind: 'join', values },
      ordinal: isRowwise(inner.plan) ? scope.frame.slot() : null,
      constant: !names.some((name) => imports !== '*' || used.has(name)),
    },
    scope: scope.with(values.map(({ name, to }) => [name, to] as const)),
  };
}

/** For each clause whether it matters how often a row comes out of it. */
function countingFrom(clauses: readonly Clause[], countsRows: boolean): boolean[] {
  const counting: boolean[] = [];
  let counts = countsRows;
  for (const clause of [...clauses].reverse()) {
    counting.unshift(counts);
    if (clause.kind === 'call subquery') counts = true;
    if (clause.kind !== 'with' && clause.kind !== 'return') continue;
    if (aggregates(clause)) counts = !clause.items.every(({ expression }) => isBlindToRepeats(expression));
    else if (clause.distinct) counts = false;
    else if (clause.skip !== null || clause.limit !== null) counts = true;
  }
  return counting;
}

const BLIND = new Set(['min', 'max']);

/** Whether an item says the same when rows come several times. */
function isBlindToRepeats(expression: Parameters<typeof isAggregate>[0]): boolean {
  return !someOf(
    expression,
    (part) =>
      isAggregate(part) && !(part.kind === 'call' && (part.distinct || BLIND.has(part.name.toLowerCase()))),
  );
}
