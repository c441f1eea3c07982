import type { Expression, MatchClause, Query } from '../ast.js';
import type { Computation } from './computation.js';
import type { Counts } from './counts.js';
import type { Plan } from './plan.js';
import type { Scope } from './scope.js';
import type { Survey } from './survey.js';

/** A plan so far, and the names that its rows have. */
export interface Planned {
  readonly plan: Plan;
  readonly scope: Scope;
}

/** A plan of a whole query: what its columns are called and where they are. */
export interface PlannedQuery {
  readonly plan: Plan;
  readonly columns: readonly { readonly name: string; readonly slot: number }[];
}

/** What a MATCH is, wherever it stands. */
export interface MatchParts extends Pick<MatchClause, 'patterns' | 'where'> {
  /** Whether it matters how often a row comes: where it does not, ends are reached once. */
  readonly countsRows: boolean;
}

/** What all parts of the planner share. They call each other through it, since patterns hold queries and queries patterns. */
export interface PlanContext {
  readonly counts: Counts;
  readonly survey: Survey;
  /** Whether nodes of a label (null: any) are found by a property without looking at all of them. */
  hasIndex(label: string | null, property: string): boolean;
  match(parts: MatchParts, from: Planned): Planned;
  /** @param countsRows Whether it matters how often a row comes. */
  query(query: Query, from: Planned, countsRows: boolean): PlannedQuery;
  /** An expression that can be computed from rows alone, and a plan whose rows hold what that takes. */
  hoist(expression: Expression, from: Planned): Planned & { readonly value: Computation };
}
