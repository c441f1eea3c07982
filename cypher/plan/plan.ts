import type { Span } from '../ast.js';
import type { ExpandDirection, HopPattern, NodeHop } from '../graph.js';
import type { Computation } from './computation.js';
import type { Frame } from './scope.js';

/** How a query is answered, as data: a tree whose leaves are what a run begins with. Rows go from `input` to whole. */
export type Plan =
  | ArgumentPlan
  | ScanPlan
  | RelationshipScanPlan
  | SeekPlan
  | ExpandPlan
  | VariableExpandPlan
  | EndpointsPlan
  | ShortestPlan
  | PathPlan
  | FilterPlan
  | ProjectPlan
  | AggregatePlan
  | DistinctPlan
  | SortPlan
  | SkipPlan
  | LimitPlan
  | UnwindPlan
  | ApplyPlan
  | UnionPlan;

interface Step {
  readonly input: Plan;
  /** How many rows come out, about. */
  readonly estimate: number;
}

/** The rows that a plan is run with: an empty one, or those of the plan around it. */
export interface ArgumentPlan {
  readonly kind: 'argument';
  readonly estimate: number;
}

/** For each row every node of any of some labels (null: all). */
export interface ScanPlan extends Step {
  readonly kind: 'scan';
  readonly slot: number;
  readonly name: string;
  readonly labels: readonly string[] | null;
  readonly hops: readonly NodeHop[];
  readonly predicates: readonly Computation[];
}

/** For each row every relationship of a type (null: all) with both its ends. */
export interface RelationshipScanPlan extends Step {
  readonly kind: 'relationship scan';
  readonly name: string;
  readonly type: string | null;
  readonly slot: number;
  readonly start: number;
  readonly end: number;
  /** Whether each relationship counts from either end. */
  readonly both: boolean;
  readonly unlike: readonly number[];
  readonly predicates: readonly Computation[];
}

/** For each row the nodes with certain values in a property; by an index, or where there is none as a scan. */
export interface SeekPlan extends Step {
  readonly kind: 'seek';
  readonly slot: number;
  readonly name: string;
  readonly label: string | null;
  readonly hops: readonly NodeHop[];
  readonly property: string;
  readonly wanted: { readonly kind: 'one' | 'any of' | 'prefix'; readonly value: Computation };
  /** What was sought among them: an index may answer with too many. */
  readonly predicates: readonly Computation[];
}

interface Hop extends Step {
  readonly from: number;
  readonly to: number;
  /** As the query calls them, for whoever reads the plan. */
  readonly names: { readonly from: string; readonly to: string; readonly relationship: string };
  readonly direction: ExpandDirection;
  /** Null: all. */
  readonly types: readonly string[] | null;
  readonly pattern: HopPattern;
  /** Whether `to` is bound already. */
  readonly into: boolean;
  /** Slots of relationships, or lists of them, of the same MATCH, which this one must not be. */
  readonly unlike: readonly number[];
  /** What must hold of a row once `to` and the relationship are in it. */
  readonly predicates: readonly Computation[];
}

/** One hop from a node. */
export interface ExpandPlan extends Hop {
  readonly kind: 'expand';
  readonly relationship: number;
}

/** Several hops, no relationship twice. */
export interface VariableExpandPlan extends Hop {
  readonly kind: 'variable expand';
  /** `trails`: one row for each way; `reach`: one row for each end, since nothing asks how often. */
  readonly mode: 'trails' | 'reach';
  readonly min: number;
  /** Null: as far as the run allows. */
  readonly max: number | null;
  /** Holds the list of relationships, in the pattern's order; null where nothing needs it. */
  readonly list: number | null;
  /** Whether the walk goes against the pattern's order. */
  readonly reversed: boolean;
  /** Holds the relationship that `each` looks at. */
  readonly relationship: number;
  /** What must hold of each relationship. */
  readonly each: readonly Computation[];
}

/** The ends of a relationship, or of a list of them, that is bound already. */
export interface EndpointsPlan extends Step {
  readonly kind: 'endpoints';
  readonly relationship: number;
  readonly name: string;
  readonly left: { readonly slot: number; readonly bound: boolean };
  readonly right: { readonly slot: number; readonly bound: boolean };
  readonly direction: ExpandDirection;
  readonly types: readonly string[] | null;
  /** Null: one relationship, not a list. */
  readonly length: { readonly min: number; readonly max: number | null } | null;
  readonly unlike: readonly number[];
  readonly predicates: readonly Computation[];
}

/** The shortest paths between two bound nodes. */
export interface ShortestPlan extends Step {
  readonly kind: 'shortest';
  readonly from: number;
  readonly to: number;
  readonly names: { readonly from: string; readonly to: string };
  readonly direction: ExpandDirection;
  readonly types: readonly string[] | null;
  readonly min: number;
  readonly max: number | null;
  readonly all: boolean;
  readonly path: number;
  /** Holds the list of relationships. */
  readonly list: number;
  readonly relationship: number;
  /** What must hold of each relationship. */
  readonly each: readonly Computation[];
  /** What must hold of a path: the shortest one of those that pass. */
  readonly predicates: readonly Computation[];
}

/** A named path out of the elements that make it, in the pattern's order. */
export interface PathPlan extends Step {
  readonly kind: 'path';
  readonly slot: number;
  readonly name: string;
  readonly first: number;
  /** Slots of relationships or of lists of them. */
  readonly relationships: readonly number[];
}

/** Rows for which all of these are true. */
export interface FilterPlan extends Step {
  readonly kind: 'filter';
  readonly predicates: readonly Computation[];
}

/** Values put into slots: of the same rows, or of new ones that hold nothing else. */
export interface ProjectPlan extends Step {
  readonly kind: 'project';
  readonly items: readonly { readonly name: string; readonly slot: number; readonly value: Computation }[];
  /** Null: the same rows. */
  readonly frame: Frame | null;
}

/** One aggregating function over the rows of a group. */
export interface AggregateItem {
  /** Null: `count(*)`. */
  readonly name: string | null;
  readonly distinct: boolean;
  readonly arguments: readonly Computation[];
  readonly slot: number;
  readonly span: Span;
}

/** One row for each group. */
export interface AggregatePlan extends Step {
  readonly kind: 'aggregate';
  readonly keys: readonly { readonly name: string; readonly slot: number; readonly value: Computation }[];
  readonly items: readonly AggregateItem[];
  readonly frame: Frame;
}

/** The first row of those that are alike in some slots. */
export interface DistinctPlan extends Step {
  readonly kind: 'distinct';
  readonly slots: readonly number[];
}

/** Rows in order; of those only the first, where a LIMIT follows. */
export interface SortPlan extends Step {
  readonly kind: 'sort';
  readonly keys: readonly { readonly value: Computation; readonly descending: boolean }[];
  readonly first: { readonly skip: Computation | null; readonly limit: Computation } | null;
}

/** Without the first rows. */
export interface SkipPlan extends Step {
  readonly kind: 'skip';
  readonly count: Computation;
}

/** The first rows only. */
export interface LimitPlan extends Step {
  readonly kind: 'limit';
  readonly count: Computation;
}

/** For each row one for each item of a list. */
export interface UnwindPlan extends Step {
  readonly kind: 'unwind';
  readonly list: Computation;
  readonly slot: number;
  readonly name: string;
}

/** A plan that is run for each row. */
export interface ApplyPlan extends Step {
  readonly kind: 'apply';
  readonly inner: Plan;
  readonly mode: ApplyMode;
  /** Says which row an inner one belongs to, where inner rows of many can go together; null: one at a time. */
  readonly ordinal: number | null;
  /** Whether the inner plan says the same for every row. */
  readonly constant: boolean;
}

/** What comes of the inner rows. */
export type ApplyMode =
  /** They take the place of the outer row; where there are none, it stays, and what it lacks is null. */
  | { readonly kind: 'optional' }
  /** The outer row with values of each inner row. */
  | { readonly kind: 'join'; readonly values: readonly { readonly from: number; readonly to: number }[] }
  /** The outer row, with a truth, a number or a list. */
  | { readonly kind: 'exists' | 'count'; readonly slot: number }
  | { readonly kind: 'collect'; readonly from: number; readonly slot: number };

/** Rows of several plans, one after the other. */
export interface UnionPlan {
  readonly kind: 'union';
  readonly estimate: number;
  readonly inputs: readonly { readonly plan: Plan; readonly slots: readonly number[] }[];
  readonly frame: Frame;
  /** Where the values go. */
  readonly slots: readonly number[];
}

/** Plans that a plan takes rows from, those around an inner one last. */
export function inputsOf(plan: Plan): readonly Plan[] {
  switch (plan.kind) {
    case 'argument':
      return [];
    case 'union':
      return plan.inputs.map((input) => input.plan);
    case 'apply':
      return [plan.input, plan.inner];
    default:
      return [plan.input];
  }
}

/** Whether rows of many arguments can go through a plan together: none is held back for another, and none is made anew. */
export function isRowwise(plan: Plan): boolean {
  switch (plan.kind) {
    case 'argument':
      return true;
    case 'aggregate':
    case 'distinct':
    case 'sort':
    case 'skip':
    case 'limit':
    case 'union':
      return false;
    case 'project':
      return plan.frame === null && isRowwise(plan.input);
    default:
      return isRowwise(plan.input);
  }
}
