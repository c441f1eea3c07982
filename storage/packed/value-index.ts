import { indexedFields } from '../../schema/index.js';
import { compareIds } from '../entry-order.js';
import { type IndexPart, isIndexable } from '../index-keys.js';
import type { IndexQuery } from '../layer.js';
import type { NodeNames } from './node-names.js';
import type { Pack } from './pack.js';

/** One node in an index, under one of its values; those of several properties are a list. */
export interface IndexedNode {
  readonly value: IndexPart | readonly IndexPart[];
  readonly id: string;
  readonly number: number;
  readonly pack: Pack;
}

/** An index as a query names it. */
export interface IndexOf {
  /** Codes of the archetypes that are looked at. */
  readonly codes: ReadonlySet<number>;
  /** Null: all nodes, by id. */
  readonly property: string | null;
}

/** The value of a field of a node, wherever the pack has it. */
export type FieldReader = (pack: Pack, row: number, field: string) => unknown;

/** A look-up in the nodes of some packs by the values of an index: a map for equality, and for the rest a sorted list. */
export class ValueIndex {
  readonly #nodes: IndexedNode[] = [];
  #byValue: Map<unknown, IndexedNode[]> | null = null;
  #isSorted = false;

  constructor(
    packs: readonly Pack[],
    { codes, property }: IndexOf,
    names: NodeNames,
    readField: FieldReader,
  ) {
    const valuesOf = valuesIn(property, readField);
    for (const pack of packs) {
      const fits = pack.nodeKinds.map(({ code }) => codes.has(code));
      if (!fits.includes(true)) continue;
      for (let row = 0; row < pack.nodeCount; row += 1) {
        if (!fits[pack.rowKinds[row] ?? 0]) continue;
        const number = pack.numbers[row] ?? 0;
        const id = names.nameOf(number);
        for (const value of valuesOf(pack, row)) this.#nodes.push({ value, id, number, pack });
      }
    }
  }

  /** Those with a value, in no order. */
  with(value: IndexPart): readonly IndexedNode[] {
    if (this.#byValue === null) {
      this.#byValue = new Map();
      for (const node of this.#nodes) {
        const known = this.#byValue.get(node.value);
        if (known) known.push(node);
        else this.#byValue.set(node.value, [node]);
      }
    }
    return this.#byValue.get(value) ?? [];
  }

  /** Those in the range of a query, by (value, id) or the other way round. */
  *range(query: IndexQuery): Generator<IndexedNode> {
    if (!this.#isSorted) this.#nodes.sort(compareIndexed);
    this.#isSorted = true;
    const sideOf = sideIn(query);
    const first = this.#placeOf((value) => sideOf(value) >= 0);
    const end = this.#placeOf((value) => sideOf(value) > 0);
    for (let at = first; at < end; at += 1)
      yield this.#nodes[query.reverse ? first + end - 1 - at : at] as IndexedNode;
  }

  /** The first place whose value is far enough. */
  #placeOf(isThere: (value: IndexedNode['value']) => boolean): number {
    let [low, high] = [0, this.#nodes.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isThere((this.#nodes[middle] as IndexedNode).value)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

/** By (value, id). */
export function compareIndexed(a: IndexedNode, b: IndexedNode): number {
  return compareValues(a.value, b.value) || compareIds(a.id, b.id);
}

function valuesIn(
  property: string | null,
  readField: FieldReader,
): (pack: Pack, row: number) => readonly IndexedNode['value'][] {
  if (property === null) return () => [''];
  const fields = indexedFields(property);
  if (property.endsWith('[]'))
    return (pack, row) => {
      const list = readField(pack, row, fields[0] ?? '');
      return Array.isArray(list) ? [...new Set(list.filter(isIndexable))] : [];
    };
  if (fields.length === 1)
    return (pack, row) => {
      const value = readField(pack, row, property);
      return isIndexable(value) ? [value] : [];
    };
  return (pack, row) => {
    const parts = fields.map((field) => readField(pack, row, field)).filter(isIndexable);
    return parts.length === fields.length ? [parts] : [];
  };
}

/** Whether a value is in the range of a query (0), before it (less) or behind it (more). */
function sideIn({ equals, prefix, gte, lt }: IndexQuery): (value: IndexedNode['value']) => number {
  const firstOf = (value: IndexedNode['value']) => (typeof value === 'object' ? (value[0] ?? '') : value);
  if (equals !== undefined) return (value) => comparePart(firstOf(value), equals);
  if (prefix !== undefined)
    return (value) => {
      const first = firstOf(value);
      return typeof first === 'string' && first.startsWith(prefix) ? 0 : comparePart(first, prefix);
    };
  if (gte === undefined && lt === undefined) return () => 0;
  const rank = rankOf(gte ?? lt ?? '');
  return (value) => {
    const first = firstOf(value);
    if (rankOf(first) !== rank) return rankOf(first) - rank;
    if (gte !== undefined && comparePart(first, gte) < 0) return -1;
    return lt !== undefined && comparePart(first, lt) >= 0 ? 1 : 0;
  };
}

function compareValues(a: IndexedNode['value'], b: IndexedNode['value']): number {
  if (typeof a !== 'object' || typeof b !== 'object') return comparePart(a as IndexPart, b as IndexPart);
  for (const [at, part] of a.entries()) {
    const order = comparePart(part, b[at] ?? false);
    if (order !== 0) return order;
  }
  return 0;
}

/** Booleans, then numbers, then texts. */
function comparePart(a: IndexPart, b: IndexPart): number {
  if (typeof a === 'string' && typeof b === 'string') return compareIds(a, b);
  return rankOf(a) - rankOf(b) || Number(a) - Number(b);
}

function rankOf(value: IndexPart): number {
  return typeof value === 'boolean' ? 0 : typeof value === 'number' ? 1 : 2;
}
