import {
  type CypherNode,
  type CypherRelationship,
  type CypherValue,
  temporalText,
} from '../../../cypher/index.js';

/**
 * A Cypher value as JSON: an INTEGER beyond 2^53 and a FLOAT that is no number are texts; a node is its properties with
 * `id` and `labels`, a relationship its properties with `type`, `from` and `to`; times are texts as ISO 8601 writes them.
 */
export function jsonValue(value: CypherValue): unknown {
  if (typeof value === 'bigint') return safe(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(jsonValue);
  if (value instanceof Map) return jsonObject(value);
  if (!('kind' in value)) return null;
  switch (value.kind) {
    case 'node':
      return jsonNode(value);
    case 'relationship':
      return jsonRelationship(value);
    case 'path':
      return {
        length: value.relationships.length,
        nodes: value.nodes.map(jsonNode),
        relationships: value.relationships.map(jsonRelationship),
      };
    default:
      return temporalText(value);
  }
}

/** Nodes and relationships in a value, ends of relationships included: what must be loaded before it is shown. */
export function elementsIn(value: CypherValue): (CypherNode | CypherRelationship)[] {
  if (value === null || typeof value !== 'object') return [];
  if (isList(value)) return value.flatMap(elementsIn);
  if (value instanceof Map) return [...value.values()].flatMap(elementsIn);
  if (!('kind' in value)) return [];
  if (value.kind === 'path') return [...value.nodes, ...value.relationships];
  return value.kind === 'node' || value.kind === 'relationship' ? [value] : [];
}

function jsonNode(node: CypherNode): Record<string, unknown> {
  return { id: jsonValue(node.id), labels: node.labels(), ...jsonObject(node.properties()) };
}

function jsonRelationship(relationship: CypherRelationship): Record<string, unknown> {
  const { type, start, end } = relationship;
  return {
    type,
    from: jsonValue(start.id),
    to: jsonValue(end.id),
    ...jsonObject(relationship.properties()),
  };
}

function jsonObject(map: ReadonlyMap<string, CypherValue>): Record<string, unknown> {
  return Object.fromEntries([...map].map(([name, value]) => [name, jsonValue(value)]));
}

function safe(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function isList(value: CypherValue): value is readonly CypherValue[] {
  return Array.isArray(value);
}
