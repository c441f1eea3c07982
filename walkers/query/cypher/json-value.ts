import {
  type CypherNode,
  type CypherRelationship,
  type CypherValue,
  temporalText,
} from '../../../cypher/index.js';

/**
 * A Cypher value as JSON: an INTEGER beyond 2^53 and a FLOAT that is no number are texts; a node is its properties with
 * `id` and `labels`, a relationship its properties with `type`, `from` and `to`; times are texts as ISO 8601 writes them.
 *
 * @param spend Told of each value within; what it throws is thrown. Default: nobody asks.
 */
export function jsonValue(value: CypherValue, spend: Spend = () => undefined): unknown {
  spend(1);
  if (typeof value === 'bigint') return safe(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map((item) => jsonValue(item, spend));
  if (value instanceof Map) return jsonObject(value, spend);
  if (!('kind' in value)) return null;
  switch (value.kind) {
    case 'node':
      return jsonNode(value, spend);
    case 'relationship':
      return jsonRelationship(value, spend);
    case 'path':
      return {
        length: value.relationships.length,
        nodes: value.nodes.map((node) => jsonNode(node, spend)),
        relationships: value.relationships.map((one) => jsonRelationship(one, spend)),
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

type Spend = (items: number) => void;

function jsonNode(node: CypherNode, spend: Spend): Record<string, unknown> {
  return { id: jsonValue(node.id, spend), labels: node.labels(), ...jsonObject(node.properties(), spend) };
}

function jsonRelationship(relationship: CypherRelationship, spend: Spend): Record<string, unknown> {
  const { type, start, end } = relationship;
  return {
    type,
    from: jsonValue(start.id, spend),
    to: jsonValue(end.id, spend),
    ...jsonObject(relationship.properties(), spend),
  };
}

function jsonObject(map: ReadonlyMap<string, CypherValue>, spend: Spend): Record<string, unknown> {
  return Object.fromEntries([...map].map(([name, value]) => [name, jsonValue(value, spend)]));
}

function safe(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

function isList(value: CypherValue): value is readonly CypherValue[] {
  return Array.isArray(value);
}
