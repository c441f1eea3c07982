import type { Query } from '../ast.js';
import type { PlanContext, PlannedQuery } from './context.js';
import { hoist } from './hoist.js';
import { planMatch } from './match.js';
import { planQuery } from './query.js';
import { Frame, Scope } from './scope.js';

export { type Computation, computation, type Load } from './computation.js';
export type { PlannedQuery } from './context.js';
export { type Counts, countsFor, isSameCounts } from './counts.js';
export { type DescribedPlan, describe } from './describe.js';
export * from './plan.js';
export { Frame, Scope } from './scope.js';
export { type Survey, surveyOf } from './survey.js';

/** Plans a query that was checked. Rows begin as wide as `frame`. */
export function plan(
  query: Query,
  { survey, counts, hasIndex }: Pick<PlanContext, 'survey' | 'counts' | 'hasIndex'>,
): PlannedQuery & { readonly frame: Frame } {
  const context: PlanContext = {
    survey,
    counts,
    hasIndex,
    match: (parts, from) => planMatch(context, parts, from),
    query: (inner, from, countsRows) => planQuery(context, inner, from, countsRows),
    hoist: (expression, from) => hoist(context, expression, from),
  };
  const frame = new Frame();
  const planned = context.query(
    query,
    { plan: { kind: 'argument', estimate: 1 }, scope: new Scope(frame) },
    true,
  );
  return { ...planned, frame };
}
