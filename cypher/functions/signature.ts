import type { Span } from '../ast.js';
import type { RunValues } from '../run-values.js';
import type { CypherValue } from '../value.js';
import type { Aggregator } from './aggregates/index.js';

/** What a function is about; pages list functions by it. */
export type FunctionGroup =
  | 'aggregates'
  | 'conversion'
  | 'elements and paths'
  | 'lists'
  | 'mathematics'
  | 'predicates'
  | 'text'
  | 'time';

/** What is told of a function: checks and pages are made from it. */
export interface Signature {
  /** As it is usually spelled; case does not matter. */
  readonly name: string;
  readonly group: FunctionGroup;
  /** `substring(text, start, length?)`: `?` may be left out, `…` may be repeated. */
  readonly signature: string;
  readonly minArguments: number;
  /** Infinity: as many as one likes. */
  readonly maxArguments: number;
  readonly aggregate: boolean;
  /** One line. */
  readonly doc: string;
  /**
   * An expression. Where it takes elements, `n` is `(:Person {name: 'Ada', born: 1815})`, `r` is `[:KNOWS {since: 1833}]`
   * from there to `m`, `(:Person {name: 'Charles'})`, and `p` the path of the three. In an aggregate `x` runs over
   * 1, 2, 2, null.
   */
  readonly example: string;
  /** What the example gives, as a literal; null where that changes. */
  readonly gives: string | null;
}

/** Where a call stands, for its errors. */
export interface CallSite {
  readonly name: string;
  readonly span: Span;
}

/** A function of its arguments alone. */
export interface ScalarFunction extends Signature {
  readonly kind: 'scalar';
  readonly aggregate: false;
  /** Whether it is called with nulls too; else one null among the arguments makes null. */
  readonly seesNull: boolean;
  readonly call: (at: CallSite, ...values: CypherValue[]) => CypherValue;
}

/** A function that also asks the run: for chance, the time, or how much it may make. */
export interface RunFunction extends Signature {
  readonly kind: 'run';
  readonly aggregate: false;
  readonly call: (run: RunValues, at: CallSite, ...values: CypherValue[]) => CypherValue;
}

/** A function over the rows of a group. */
export interface AggregateFunction extends Signature {
  readonly kind: 'aggregate';
  readonly aggregate: true;
  readonly make: (at: CallSite) => Aggregator;
}

/** A function that queries may call. */
export type CypherFunction = ScalarFunction | RunFunction | AggregateFunction;

/** Name and number of arguments, from how a call is written. */
export function readSignature(
  signature: string,
): Pick<Signature, 'name' | 'signature' | 'minArguments' | 'maxArguments'> {
  const open = signature.indexOf('(');
  const inside = signature.slice(open + 1, -1);
  const words = inside === '' ? [] : inside.split(', ');
  return {
    name: signature.slice(0, open),
    signature,
    minArguments: words.filter((word) => !word.endsWith('?')).length,
    maxArguments: words.some((word) => word.endsWith('…')) ? Number.POSITIVE_INFINITY : words.length,
  };
}

/** A maker of scalar functions of one group. @param example An expression and what it gives. */
export function scalars(group: FunctionGroup) {
  return (
    signature: string,
    doc: string,
    [example, gives]: readonly [example: string, gives: string],
    call: ScalarFunction['call'],
    seesNull = false,
  ): ScalarFunction => ({
    ...readSignature(signature),
    kind: 'scalar',
    group,
    aggregate: false,
    doc,
    example,
    gives,
    call,
    seesNull,
  });
}
