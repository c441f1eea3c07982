import type {
  CypherDuration,
  CypherInstant,
  CypherMap,
  CypherNode,
  CypherPath,
  CypherRelationship,
  CypherValue,
} from '../value.js';

/** What a value is, in Cypher's words. */
export type ValueKind =
  | 'Null'
  | 'Boolean'
  | 'Integer'
  | 'Float'
  | 'String'
  | 'List'
  | 'Map'
  | 'Node'
  | 'Relationship'
  | 'Path'
  | 'Date'
  | 'LocalTime'
  | 'Time'
  | 'LocalDateTime'
  | 'DateTime'
  | 'Duration';

const KINDS = {
  node: 'Node',
  relationship: 'Relationship',
  path: 'Path',
  date: 'Date',
  localtime: 'LocalTime',
  time: 'Time',
  localdatetime: 'LocalDateTime',
  datetime: 'DateTime',
  duration: 'Duration',
} as const;

/** A node or a relationship: what has properties and an id. */
export type CypherElement = CypherNode | CypherRelationship;

/** What a value is. */
export function kindOf(value: CypherValue): ValueKind {
  switch (typeof value) {
    case 'boolean':
      return 'Boolean';
    case 'string':
      return 'String';
    case 'bigint':
      return 'Integer';
    case 'number':
      return 'Float';
  }
  if (value === null) return 'Null';
  if (isList(value)) return 'List';
  if (isMap(value)) return 'Map';
  return KINDS[value.kind];
}

/** Whether a value is a list. */
export function isList(value: CypherValue): value is readonly CypherValue[] {
  return Array.isArray(value);
}

/** Whether a value is a map; the properties of an element are none. */
export function isMap(value: CypherValue): value is CypherMap {
  return value instanceof Map;
}

/** Whether a value is a node. */
export function isNode(value: CypherValue): value is CypherNode {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'node';
}

/** Whether a value is a relationship. */
export function isRelationship(value: CypherValue): value is CypherRelationship {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'relationship';
}

/** Whether a value is a node or a relationship. */
export function isElement(value: CypherValue): value is CypherElement {
  return isNode(value) || isRelationship(value);
}

/** Whether a value is a path. */
export function isPath(value: CypherValue): value is CypherPath {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'path';
}

/** Whether a value is a length of time. */
export function isDuration(value: CypherValue): value is CypherDuration {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'duration';
}

/** Whether a value is a date, a time of day, or both. */
export function isInstant(value: CypherValue): value is CypherInstant {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return false;
  return !isElement(value) && value.kind !== 'path' && value.kind !== 'duration';
}

/** Whether a value is an INTEGER or a FLOAT. */
export function isNumber(value: CypherValue): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}
