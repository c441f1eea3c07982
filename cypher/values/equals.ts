import { orderDurations, orderInstants } from '../temporal/index.js';
import type { CypherMap, CypherPath, CypherValue } from '../value.js';
import { isDuration, isElement, isInstant, isList, isMap, isPath } from './kinds.js';

/**
 * `=`: true, false, or null where a null inside decides. Values of two kinds differ, but for numbers: `1 = 1.0`. NaN
 * equals nothing. (openCypher 9, "Equality"; CIP2016-06-14.)
 */
export function equals(left: CypherValue, right: CypherValue): boolean | null {
  if (left === null || right === null) return null;
  if (typeof left !== 'object' || typeof right !== 'object') {
    if (left === right) return true;
    if (typeof left === 'bigint') return typeof right === 'number' && sameNumber(right, left);
    return typeof left === 'number' && typeof right === 'bigint' && sameNumber(left, right);
  }
  if (isList(left)) return isList(right) && listsEqual(left, right);
  if (isMap(left)) return isMap(right) && mapsEqual(left, right);
  if (isPath(left)) return isPath(right) && samePath(left, right);
  if (isInstant(left))
    return isInstant(right) && left.kind === right.kind && orderInstants(left, right) === 0;
  if (isDuration(left)) return isDuration(right) && orderDurations(left, right) === 0;
  return isElement(right) && right.kind === left.kind && right.key === left.key;
}

function sameNumber(float: number, integer: bigint): boolean {
  return Number.isInteger(float) && BigInt(float) === integer;
}

/** Lists of two lengths differ whatever is in them; one difference decides before any null does. */
function listsEqual(left: readonly CypherValue[], right: readonly CypherValue[]): boolean | null {
  if (left.length !== right.length) return false;
  let known = true;
  for (let index = 0; index < left.length; index++) {
    const same = equals(left[index] ?? null, right[index] ?? null);
    if (same === false) return false;
    if (same === null) known = false;
  }
  return known ? true : null;
}

function mapsEqual(left: CypherMap, right: CypherMap): boolean | null {
  if (left.size !== right.size) return false;
  for (const key of left.keys()) if (!right.has(key)) return false;
  let known = true;
  for (const [key, value] of left) {
    const same = equals(value, right.get(key) ?? null);
    if (same === false) return false;
    if (same === null) known = false;
  }
  return known ? true : null;
}

/** The same nodes and relationships in the same order; which way a relationship was passed says the nodes. */
function samePath(left: CypherPath, right: CypherPath): boolean {
  return (
    left.relationships.length === right.relationships.length &&
    left.nodes.every((node, index) => node.key === right.nodes[index]?.key) &&
    left.relationships.every((edge, index) => edge.key === right.relationships[index]?.key)
  );
}

/** `value IN list`: true where one is equal, else null where one might be. An empty list holds nothing, not even null. */
export function isIn(value: CypherValue, list: readonly CypherValue[]): boolean | null {
  let known = true;
  for (const item of list) {
    const same = equals(value, item);
    if (same === true) return true;
    if (same === null) known = false;
  }
  return known ? false : null;
}
