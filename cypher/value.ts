/**
 * What a Cypher expression can be. An INTEGER is a bigint and a FLOAT a number, so that `1` and `1.0` stay apart;
 * null is Cypher's unknown.
 */
export type CypherValue =
  | null
  | boolean
  | string
  | bigint
  | number
  | readonly CypherValue[]
  | CypherMap
  | CypherNode
  | CypherRelationship
  | CypherPath
  | CypherInstant
  | CypherDuration;

/** A map: keys in the order in which they were written. */
export type CypherMap = ReadonlyMap<string, CypherValue>;

/**
 * A node as a graph hands it out. Labels and properties may be asked for once the graph was told to load it
 * ({@link CypherGraph.load}).
 */
export interface CypherNode {
  readonly kind: 'node';
  /** The same number means the same node, as long as one run lasts. */
  readonly key: number;
  /** What `id(n)` says. */
  readonly id: CypherValue;
  /** In the graph's order. */
  labels(): readonly string[];
  hasLabel(label: string): boolean;
  /** Under any spelling that the graph knows; null where it has none. */
  property(name: string): CypherValue;
  /** What `properties(n)` says: each property once, under the name that the graph prefers, no nulls. */
  properties(): CypherMap;
}

/** A relationship as a graph hands it out: of the type under which it was asked for. */
export interface CypherRelationship {
  readonly kind: 'relationship';
  /** As {@link CypherNode.key}: one number for one relationship, whatever it was asked for as. */
  readonly key: number;
  /** What `id(r)` says. */
  readonly id: CypherValue;
  readonly type: string;
  readonly start: CypherNode;
  readonly end: CypherNode;
  property(name: string): CypherValue;
  properties(): CypherMap;
}

/** A walk: one node more than relationships, which may be passed against their direction. */
export interface CypherPath {
  readonly kind: 'path';
  readonly nodes: readonly CypherNode[];
  readonly relationships: readonly CypherRelationship[];
}

/** A date, a time of day, or both; where the name has no `local` and it is no date, with an offset from UTC. */
export interface CypherInstant {
  readonly kind: 'date' | 'localtime' | 'time' | 'localdatetime' | 'datetime';
  /** Days since 1970-01-01, as the local calendar has it; 0 in a time of day. */
  readonly day: number;
  /** Nanoseconds since the local midnight; 0 in a date. */
  readonly nanos: number;
  /** Seconds east of UTC; 0 where there is none. */
  readonly offset: number;
}

/** A length of time: months and days differ in theirs, so they are kept apart. */
export interface CypherDuration {
  readonly kind: 'duration';
  readonly months: number;
  readonly days: number;
  readonly nanos: bigint;
}
