import type { Clause, Query, SingleQuery } from '../ast.js';
import { CypherError } from '../cypher-error.js';
import { aggregates, isAggregate } from './aggregation.js';
import type { PlanContext, Planned, PlannedQuery } from './context.js';
import { namesInQuery, someOf } from './expression-tree.js';
import { keepAround } from './keep-around.js';
import { isRowwise, type UnionPlan } from './plan.js';
import { planProjection } from './projection.js';
import { Frame, Scope } from './scope.js';

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
