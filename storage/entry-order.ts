import type { EdgeOrder } from '../schema/index.js';
import type { AdjacencyEntry, Direction } from './layer.js';

/** Compares two entries of one node and direction, of any edge types: negative when `a` comes first. */
export type EntryComparator = (a: AdjacencyEntry, b: AdjacencyEntry) => number;

/** Ids and names in the one order that Codewalk knows: JavaScript's, by UTF-16 unit. */
export function compareIds(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** As they were connected; ties (edges of two layers) by type and far id. */
export const compareCreation: EntryComparator = (a, b) =>
  a.seq - b.seq || compareIds(a.edgeType, b.edgeType) || compareIds(a.far, b.far) || compareEnds(a, b);

/** Canonical out-edges: by (line, column, type, far id). Edges without a position come first. */
export const compareCanonicalOut: EntryComparator = (a, b) =>
  comparePosition(a, b) ||
  compareIds(a.edgeType, b.edgeType) ||
  compareIds(a.far, b.far) ||
  compareEnds(a, b);

/** Canonical in-edges: by (far id, line, column, type). */
export const compareCanonicalIn: EntryComparator = (a, b) =>
  compareIds(a.far, b.far) ||
  comparePosition(a, b) ||
  compareIds(a.edgeType, b.edgeType) ||
  compareEnds(a, b);

/** The order of the entries of edge types with one kind of order, seen from one side. */
export function entryOrder(order: EdgeOrder, direction: Direction): EntryComparator {
  if (order === 'creation') return compareCreation;
  return direction === 'out' ? compareCanonicalOut : compareCanonicalIn;
}

function comparePosition(a: AdjacencyEntry, b: AdjacencyEntry): number {
  return place(a.props.line) - place(b.props.line) || place(a.props.column) - place(b.props.column);
}

function place(value: unknown): number {
  return typeof value === 'number' ? value : -1;
}

/** An undirected edge and its reverse may join the same nodes: the one that leaves comes first. */
function compareEnds(a: AdjacencyEntry, b: AdjacencyEntry): number {
  return Number(b.outgoing) - Number(a.outgoing);
}
