/*
 * A query as data. The parser makes it, the checks look at it, the planner reads it; nothing changes it. Every part
 * knows where it stands, since columns are called what was written and errors point at it.
 */

/** Offsets into the query's text, in UTF-16 units; `end` is behind the last one. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

interface Placed {
  readonly span: Span;
}

/** One query, or several that UNION joins, in order. */
export interface Query extends Placed {
  readonly kind: 'query';
  /** EXPLAIN or PROFILE in front of it. */
  readonly mode: 'run' | 'explain' | 'profile';
  readonly parts: readonly SingleQuery[];
  /** One fewer than parts; true: UNION ALL. */
  readonly unionAll: readonly boolean[];
}

/** Clauses between UNIONs. */
export interface SingleQuery extends Placed {
  readonly clauses: readonly Clause[];
}

/** One clause. */
export type Clause = ReadingClause | ProjectionClause | WritingClause;
/** A clause that brings rows. */
export type ReadingClause = MatchClause | UnwindClause | CallSubqueryClause | CallProcedureClause;
/** A clause that says what goes on. */
export type ProjectionClause = WithClause | ReturnClause;

/** MATCH and OPTIONAL MATCH. */
export interface MatchClause extends Placed {
  readonly kind: 'match';
  readonly optional: boolean;
  readonly patterns: readonly PathPattern[];
  readonly where: Expression | null;
}
/** UNWIND list AS name. */
export interface UnwindClause extends Placed {
  readonly kind: 'unwind';
  readonly list: Expression;
  readonly variable: Name;
}
/** CALL { … }, CALL (x, y) { … }. */
export interface CallSubqueryClause extends Placed {
  readonly kind: 'call subquery';
  readonly query: Query;
  /** Names that the scope clause or an importing WITH brings in; null: none was written; `*`: all. */
  readonly imports: readonly Name[] | '*' | null;
  /** Whether a scope clause says them: then they are known in all of the subquery. */
  readonly scoped: boolean;
}
/** CALL procedure(…) YIELD …: parsed, so that it can be refused by name. */
export interface CallProcedureClause extends Placed {
  readonly kind: 'call procedure';
  readonly name: string;
  readonly arguments: readonly Expression[] | null;
  readonly yields: readonly { readonly field: Name; readonly alias: Name | null }[] | '*' | null;
  readonly where: Expression | null;
}
/** What WITH and RETURN have in common. */
export interface Projection extends Placed {
  readonly distinct: boolean;
  /** Whether `*` stands in front of the items. */
  readonly all: boolean;
  readonly items: readonly ProjectionItem[];
  readonly orderBy: readonly SortItem[];
  readonly skip: Expression | null;
  readonly limit: Expression | null;
}
/** WITH … WHERE …. */
export interface WithClause extends Projection {
  readonly kind: 'with';
  readonly where: Expression | null;
}
/** RETURN …. */
export interface ReturnClause extends Projection {
  readonly kind: 'return';
}
/** One column; without AS it is called what was written. */
export interface ProjectionItem extends Placed {
  readonly expression: Expression;
  readonly alias: Name | null;
  /** The column's name: the alias, or the expression as written. */
  readonly name: string;
}
/** One key of ORDER BY. */
export interface SortItem extends Placed {
  readonly expression: Expression;
  readonly descending: boolean;
}
/** A name where it is made. */
export interface Name extends Placed {
  readonly name: string;
}

/** Clauses that change a graph: the engine refuses them, whoever builds graphs for tests reads them. */
export type WritingClause =
  | (Placed & { readonly kind: 'create'; readonly patterns: readonly PathPattern[] })
  | (Placed & {
      readonly kind: 'merge';
      readonly pattern: PathPattern;
      readonly actions: readonly { readonly on: 'create' | 'match'; readonly items: readonly SetItem[] }[];
    })
  | (Placed & { readonly kind: 'set'; readonly items: readonly SetItem[] })
  | (Placed & { readonly kind: 'remove'; readonly items: readonly RemoveItem[] })
  | (Placed & {
      readonly kind: 'delete';
      readonly detach: boolean;
      readonly expressions: readonly Expression[];
    })
  | (Placed & {
      readonly kind: 'foreach';
      readonly variable: Name;
      readonly list: Expression;
      readonly clauses: readonly Clause[];
    });

/** One item of SET. */
export type SetItem =
  | (Placed & { readonly kind: 'property'; readonly target: Expression; readonly value: Expression })
  | (Placed & { readonly kind: 'replace' | 'merge'; readonly variable: Name; readonly value: Expression })
  | (Placed & { readonly kind: 'labels'; readonly variable: Name; readonly labels: readonly string[] });
/** One item of REMOVE. */
export type RemoveItem =
  | (Placed & { readonly kind: 'property'; readonly target: Expression })
  | (Placed & { readonly kind: 'labels'; readonly variable: Name; readonly labels: readonly string[] });

/** `p = (a)-[r]->(b)`: one node more than relationships. */
export interface PathPattern extends Placed {
  readonly variable: Name | null;
  /** shortestPath((…)), allShortestPaths((…)). */
  readonly shortest: 'one' | 'all' | null;
  readonly nodes: readonly NodePattern[];
  readonly relationships: readonly RelationshipPattern[];
}
/** `(a:Label {key: value} WHERE …)`. */
export interface NodePattern extends Placed {
  readonly variable: Name | null;
  readonly labels: LabelExpression | null;
  /** A map or a parameter. */
  readonly properties: Expression | null;
  readonly where: Expression | null;
}
/** `-[r:TYPE|OTHER*1..3 {key: value} WHERE …]->`. */
export interface RelationshipPattern extends Placed {
  readonly variable: Name | null;
  /** Empty: any. */
  readonly types: readonly string[];
  readonly direction: 'out' | 'in' | 'both';
  /** Null: exactly one, and the variable is a relationship, not a list. */
  readonly length: { readonly min: number | null; readonly max: number | null } | null;
  readonly properties: Expression | null;
  readonly where: Expression | null;
}
/** `A:B`, `A&B`, `A|B`, `!A`, `%`. */
export type LabelExpression =
  | (Placed & { readonly kind: 'label'; readonly name: string })
  | (Placed & { readonly kind: 'and' | 'or'; readonly parts: readonly LabelExpression[] })
  | (Placed & { readonly kind: 'not'; readonly part: LabelExpression })
  | (Placed & { readonly kind: 'any' });

/** Operators between two values, comparisons apart. */
export type BinaryOperator =
  | 'or'
  | 'xor'
  | 'and'
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '^'
  | 'in'
  | 'starts with'
  | 'ends with'
  | 'contains'
  | '=~';
/** Operators that chain: `1 < x < 5`. */
export type ComparisonOperator = '=' | '<>' | '<' | '<=' | '>' | '>=';

/** Anything with a value. */
export type Expression =
  | (Placed & { readonly kind: 'literal'; readonly value: null | boolean | string | bigint | number })
  | (Placed & { readonly kind: 'parameter'; readonly name: string })
  | (Placed & { readonly kind: 'variable'; readonly name: string })
  | (Placed & { readonly kind: 'property'; readonly on: Expression; readonly key: string })
  | (Placed & { readonly kind: 'has labels'; readonly on: Expression; readonly labels: LabelExpression })
  | (Placed & { readonly kind: 'not' | 'minus' | 'plus'; readonly operand: Expression })
  | (Placed & {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    })
  /** One operator fewer than operands; all of them must hold. */
  | (Placed & {
      readonly kind: 'comparison';
      readonly operands: readonly Expression[];
      readonly operators: readonly ComparisonOperator[];
    })
  | (Placed & { readonly kind: 'is null'; readonly operand: Expression; readonly negated: boolean })
  | (Placed & { readonly kind: 'list'; readonly items: readonly Expression[] })
  | (Placed & { readonly kind: 'map'; readonly entries: readonly MapEntry[] })
  | (Placed & {
      readonly kind: 'map projection';
      readonly on: Expression;
      readonly items: readonly MapProjectionItem[];
    })
  | (Placed & { readonly kind: 'subscript'; readonly on: Expression; readonly index: Expression })
  | (Placed & {
      readonly kind: 'slice';
      readonly on: Expression;
      readonly from: Expression | null;
      readonly to: Expression | null;
    })
  | (Placed & {
      readonly kind: 'list comprehension';
      readonly variable: Name;
      readonly list: Expression;
      readonly where: Expression | null;
      readonly map: Expression | null;
    })
  | (Placed & {
      readonly kind: 'pattern comprehension';
      readonly pattern: PathPattern;
      readonly where: Expression | null;
      readonly map: Expression;
    })
  | (Placed & {
      readonly kind: 'quantifier';
      readonly which: 'all' | 'any' | 'none' | 'single';
      readonly variable: Name;
      readonly list: Expression;
      readonly where: Expression | null;
    })
  | (Placed & {
      readonly kind: 'reduce';
      readonly accumulator: Name;
      readonly initial: Expression;
      readonly variable: Name;
      readonly list: Expression;
      readonly expression: Expression;
    })
  | (Placed & {
      readonly kind: 'case';
      readonly operand: Expression | null;
      readonly branches: readonly { readonly when: Expression; readonly then: Expression }[];
      readonly otherwise: Expression | null;
    })
  /** The name as written, with its dots. */
  | (Placed & {
      readonly kind: 'call';
      readonly name: string;
      readonly distinct: boolean;
      readonly arguments: readonly Expression[];
    })
  | (Placed & { readonly kind: 'count star' })
  /** A pattern where a truth is asked for, and shortestPath(…) as a value. */
  | (Placed & { readonly kind: 'pattern'; readonly pattern: PathPattern })
  /** EXISTS { … }, COUNT { … }, COLLECT { … }. `MATCH` and `RETURN` may be left out in the first two. */
  | (Placed & {
      readonly kind: 'subquery';
      readonly which: 'exists' | 'count' | 'collect';
      readonly query: Query;
    });

/** One entry of a map literal. */
export interface MapEntry extends Placed {
  readonly key: string;
  readonly value: Expression;
}
/** `.key`, `key: value`, `name`, `.*`. */
export type MapProjectionItem =
  | (Placed & { readonly kind: 'property'; readonly key: string })
  | (Placed & { readonly kind: 'entry'; readonly key: string; readonly value: Expression })
  | (Placed & { readonly kind: 'variable'; readonly name: string })
  | (Placed & { readonly kind: 'all' });
