import type { CypherMap, CypherNode, CypherPath, CypherRelationship, CypherValue } from '../value.js';

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
  | 'Path';

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
  if (value.kind === 'node') return 'Node';
  return value.kind === 'path' ? 'Path' : 'Relationship';
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
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind !== 'path';
}

/** Whether a value is a path. */
export function isPath(value: CypherValue): value is CypherPath {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'path';
}

/** Whether a value is an INTEGER or a FLOAT. */
export function isNumber(value: CypherValue): value is bigint | number {
  return typeof value === 'bigint' || typeof value === 'number';
}
