import { CodewalkError, type EdgeOrder } from '../schema/index.js';
import { compareIds } from './entry-order.js';
import type { Bytes } from './kv.js';
import type { Direction, StoredEdge } from './layer.js';

/** One adjacency entry as records hold it: codes instead of names, positions as {@link packPosition} makes them. */
export interface PackedItem {
  readonly far: string;
  readonly farType: number;
  readonly outgoing: boolean;
  readonly undirected: boolean;
  readonly seq: number;
  readonly line: number;
  readonly column: number;
  /** Inline values other than canonical positions, in the order of the version's inline list. */
  readonly extra: readonly unknown[];
}

/** The node at one end of an edge, as the edit at the other end needs it. */
export interface EndNode {
  readonly id: string;
  readonly key: Bytes;
  readonly typeCode: number;
}

/** One edge as an item of one of its ends' records. */
export function packedItem(
  edge: StoredEdge,
  canonical: boolean,
  extras: readonly string[],
  far: EndNode,
  outgoing: boolean,
): PackedItem {
  const { undirected, props } = edge;
  return {
    far: far.id,
    farType: far.typeCode,
    outgoing,
    undirected,
    seq: canonical ? 0 : checkedSeq(edge),
    line: canonical ? packPosition(props.line) : 0,
    column: canonical ? packPosition(props.column) : 0,
    extra: extras.length === 0 ? NO_VALUES : extras.map((name) => props[name]),
  };
}

function checkedSeq({ type, from, to, seq }: StoredEdge): number {
  if (Number.isInteger(seq) && seq > 0 && seq < 2 ** 48) return seq;
  throw new CodewalkError(
    'INVALID_INPUT',
    `The ${type} edge from ${from} to ${to} cannot have the number ${seq}`,
    {
      suggestion: 'Take it from nextSeq().',
      input: seq,
    },
  );
}

const MAX_POSITION = 0xffffffff - 2;
const NO_VALUES: readonly unknown[] = [];

/**
 * A line or column as records hold it: 0 absent, 1 null, else 2 more than its value.
 *
 * @throws CodewalkError `INVALID_INPUT` when it is no whole number from 0.
 */
export function packPosition(value: unknown): number {
  if (value === undefined) return 0;
  if (value === null) return 1;
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_POSITION)
    return value + 2;
  throw new CodewalkError(
    'INVALID_INPUT',
    `The line or column of a canonical edge cannot be ${String(value)}`,
    {
      suggestion: 'Use whole numbers from 0.',
      input: value,
    },
  );
}

/** The opposite of {@link packPosition}. */
export function unpackPosition(packed: number): number | null | undefined {
  return packed === 0 ? undefined : packed === 1 ? null : packed - 2;
}

/** What orders one item among the items of its record. */
export type OrderKey = Pick<PackedItem, 'far' | 'outgoing' | 'seq' | 'line' | 'column'>;

/** The order of the items of one record. */
export function itemOrder(order: EdgeOrder, direction: Direction): ItemOrder {
  if (order === 'creation') return bySeq;
  return direction === 'out' ? outOrder : inOrder;
}

type ItemOrder = (a: OrderKey, b: OrderKey) => number;
const bySeq: ItemOrder = (a, b) => a.seq - b.seq;
const outOrder: ItemOrder = (a, b) => compareLine(a, b) || compareIds(a.far, b.far) || compareEnds(a, b);
const inOrder: ItemOrder = (a, b) => compareIds(a.far, b.far) || compareLine(a, b) || compareEnds(a, b);

/** What names an item in its record: its number, or its far end (and which of both ends that is). */
export function itemIdentity(
  order: EdgeOrder,
  direction: Direction,
  item: Pick<PackedItem, 'seq' | 'far' | 'outgoing'>,
): number | string {
  if (order === 'creation') return item.seq;
  return item.outgoing === (direction === 'out') ? item.far : `\0${item.far}`;
}

function compareLine(a: OrderKey, b: OrderKey): number {
  // Absent (0) and null (1) are both no position: they sort as one, as they do for compareCanonicalOut.
  return Math.max(a.line, 1) - Math.max(b.line, 1) || Math.max(a.column, 1) - Math.max(b.column, 1);
}

function compareEnds(a: OrderKey, b: OrderKey): number {
  return Number(b.outgoing) - Number(a.outgoing);
}
