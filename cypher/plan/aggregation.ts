import type { Expression, Projection, ProjectionItem } from '../ast.js';
import { isAggregate } from '../check/index.js';
import { type computation, slotExpression, withSlots } from './computation.js';
import type { PlanContext, Planned } from './context.js';
import { mapParts, shapeOf, someOf } from './expression-tree.js';
import type { AggregateItem, AggregatePlan } from './plan.js';
import { Frame, Scope } from './scope.js';

/** Whether a projection makes one row of many. */
export function aggregates({ items, orderBy }: Projection): boolean {
  return [...items, ...orderBy].some(({ expression }) => someOf(expression, isAggregate));
}

/** Groups and what is computed of them. */
export interface Aggregated extends Planned {
  /** Items in the scope of the groups: in place of keys and aggregates stand the slots that hold them. */
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly Expression[];
}

/** Plans the groups of a projection: items without an aggregating function are what rows are grouped by. */
export function planAggregation(context: PlanContext, projection: Projection, from: Planned): Aggregated {
  const frame = new Frame();
  let at = from;
  const hoisted = (expression: Expression) => {
    const { plan, scope, value } = context.hoist(expression, at);
    at = { plan, scope };
    return value;
  };
  const places = new Map<string, Expression>();
  const slots: number[] = [];
  const names: [string, number][] = [];
  const place = (expression: Expression): number => {
    const slot = frame.slot();
    slots.push(slot);
    places.set(shapeOf(expression), slotExpression(slot));
    if (expression.kind === 'variable') names.push([expression.name, slot]);
    return slot;
  };
  const keys: AggregatePlan['keys'][number][] = [];
  for (const { expression, name } of projection.items) {
    if (someOf(expression, isAggregate) || places.has(shapeOf(expression))) continue;
    keys.push({ name, value: hoisted(expression), slot: place(expression) });
  }
  const items: AggregateItem[] = [];
  const takeAggregates = (expression: Expression): void => {
    if (!isAggregate(expression)) {
      mapParts(expression, (part) => {
        takeAggregates(part);
        return part;
      });
    } else if (!places.has(shapeOf(expression))) {
      items.push({ ...aggregateOf(expression, hoisted), slot: place(expression) });
    }
  };
  for (const { expression } of [...projection.items, ...projection.orderBy]) takeAggregates(expression);
  const inPlace = (expression: Expression): Expression => {
    const known = places.get(shapeOf(expression));
    return known === undefined ? mapParts(expression, inPlace) : { ...known, span: expression.span };
  };
  return {
    plan: {
      kind: 'aggregate',
      input: at.plan,
      estimate: keys.length === 0 ? 1 : Math.sqrt(at.plan.estimate),
      keys,
      items,
      frame,
    },
    scope: withSlots(new Scope(frame, new Map(names)), slots),
    items: projection.items.map((item) => ({ ...item, expression: inPlace(item.expression) })),
    orderBy: projection.orderBy.map(({ expression }) => inPlace(expression)),
  };
}

function aggregateOf(
  expression: Expression,
  hoisted: (expression: Expression) => ReturnType<typeof computation>,
): Omit<AggregateItem, 'slot'> {
  const { span } = expression;
  if (expression.kind !== 'call') return { name: null, distinct: false, arguments: [], span };
  const { name, distinct } = expression;
  return { name: name.toLowerCase(), distinct, arguments: expression.arguments.map(hoisted), span };
}
