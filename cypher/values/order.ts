import { orderDurations, orderInstants } from '../temporal/index.js';
import type { CypherMap, CypherPath, CypherValue } from '../value.js';
import {
  isDuration,
  isElement,
  isInstant,
  isList,
  isMap,
  isNumber,
  isPath,
  kindOf,
  type ValueKind,
} from './kinds.js';

/** Kinds as ORDER BY, min and max sort them, ascending (CIP2016-06-14, "Orderability"). */
const RANKS: Readonly<Record<ValueKind, number>> = {
  Map: 0,
  Node: 1,
  Relationship: 2,
  List: 3,
  Path: 4,
  DateTime: 5,
  LocalDateTime: 6,
  Date: 7,
  Time: 8,
  LocalTime: 9,
  Duration: 10,
  String: 11,
  Boolean: 12,
  Integer: 13,
  Float: 13,
  Null: 14,
};

/**
 * A total order over all values, ascending: NaN above all numbers, null above everything. Maps by their size, then
 * keys, then values; elements by their ids. 0 means that DISTINCT sees one value.
 */
export function order(left: CypherValue, right: CypherValue): number {
  if (typeof left === 'string' && typeof right === 'string') {
    return left === right ? 0 : left < right ? -1 : 1;
  }
  if (isNumber(left) && isNumber(right)) return orderNumbers(left, right);
  const kind = kindOf(left);
  const ranks = RANKS[kind] - RANKS[kindOf(right)];
  return ranks === 0 ? orderOfOneKind(left, right) : ranks;
}

function orderNumbers(left: bigint | number, right: bigint | number): number {
  if (left < right) return -1;
  if (left > right) return 1;
  return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
}

function orderOfOneKind(left: CypherValue, right: CypherValue): number {
  if (typeof left === 'boolean' || typeof right === 'boolean') return Number(left) - Number(right);
  if (isList(left) && isList(right)) return orderLists(left, right);
  if (isMap(left) && isMap(right)) return orderMaps(left, right);
  if (isPath(left) && isPath(right)) return orderLists(steps(left), steps(right));
  if (isInstant(left) && isInstant(right)) return orderInstants(left, right);
  if (isDuration(left) && isDuration(right)) return orderDurations(left, right);
  if (!isElement(left) || !isElement(right) || left.key === right.key) return 0;
  return order(left.id, right.id) || left.key - right.key;
}

function orderLists(left: readonly CypherValue[], right: readonly CypherValue[]): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index++) {
    const way = order(left[index] ?? null, right[index] ?? null);
    if (way !== 0) return way;
  }
  return left.length - right.length;
}

function orderMaps(left: CypherMap, right: CypherMap): number {
  if (left.size !== right.size) return left.size - right.size;
  const [leftKeys, rightKeys] = [[...left.keys()].sort(), [...right.keys()].sort()];
  return (
    orderLists(leftKeys, rightKeys) ||
    orderLists(
      leftKeys.map((key) => left.get(key) ?? null),
      leftKeys.map((key) => right.get(key) ?? null),
    )
  );
}

/** Node, relationship, node… */
function steps(path: CypherPath): CypherValue[] {
  return path.nodes.flatMap((node, index): CypherValue[] => {
    const next = path.relationships[index];
    return next === undefined ? [node] : [node, next];
  });
}
