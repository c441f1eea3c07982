import type { EdgeOrder } from '../schema/index.js';
import { CUT_EDGES, DIRECTORY } from './adjacency.js';
import type { Bytes } from './kv.js';
import type { Direction } from './layer.js';
import type { ValueCodec } from './msgpack.js';
import { itemOrder, type OrderKey } from './packed-item.js';

/** One chunk of a hub: it holds the items from its first order key to the next chunk's. */
export interface Chunk {
  readonly number: number;
  /** Only a boundary: the item itself may be gone. */
  readonly first: OrderKey;
}

/** What a hub's record holds instead of entries. */
export interface Directory {
  /** The number for the next new chunk. */
  readonly next: number;
  /** In order; never empty. */
  readonly chunks: readonly Chunk[];
}

/** Sizes of adjacency records, in entries. */
export interface HubSizes {
  /** A record of more entries becomes a hub, a chunk of more is cut. */
  readonly most: number;
  /** Entries of a new chunk. */
  readonly chunk: number;
}

/** As measured (docs/internals/storage.md): a chunk is rewritten in a few microseconds and a hub of 10,000 has 80. */
export const HUB_SIZES: HubSizes = { most: 256, chunk: 128 };

/** Whether the value of an adjacency key is a hub's directory. */
export function isDirectory(bytes: Bytes): boolean {
  return bytes[0] === DIRECTORY;
}

/** A directory as the value of its adjacency key. */
export function encodeDirectory(directory: Directory, values: ValueCodec): Buffer {
  const chunks = directory.chunks.map(({ number, first }) => [
    number,
    first.seq,
    first.line,
    first.column,
    first.far,
    first.outgoing,
  ]);
  return Buffer.concat([Buffer.from([DIRECTORY]), values.encode([directory.next, chunks])]);
}

/** Null for a damaged one, which is noted in {@link ValueCodec.damaged}. */
export function decodeDirectory(bytes: Bytes, values: ValueCodec): Directory | null {
  const decoded: unknown = values.decode(bytes.subarray(1));
  const rows: unknown = Array.isArray(decoded) ? decoded[1] : undefined;
  if (!Array.isArray(decoded) || !Array.isArray(rows) || !rows.every(Array.isArray)) {
    values.damaged.add(CUT_EDGES);
    return null;
  }
  const chunks = rows.map((row: readonly unknown[]): Chunk => {
    const [number, seq, line, column, far, outgoing] = row;
    return {
      number: Number(number),
      first: {
        seq: Number(seq),
        line: Number(line),
        column: Number(column),
        far: String(far),
        outgoing: outgoing === true,
      },
    };
  });
  return { next: Number(decoded[0]), chunks };
}

/** The position of the chunk that an item belongs to. */
export function chunkOf(
  directory: Directory,
  item: OrderKey,
  compare: (a: OrderKey, b: OrderKey) => number,
): number {
  let low = 0;
  let high = directory.chunks.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const chunk = directory.chunks[middle];
    if (chunk !== undefined && compare(chunk.first, item) <= 0) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The positions of the chunks that may hold an item of which only the identity is known. Canonical out-records of
 * edges that have a place are ordered by it, which the identity does not tell: there it may be anywhere.
 *
 * @param placed Whether edges of the type have a line or column.
 */
export function chunksThatMayHold(
  directory: Directory,
  item: Pick<OrderKey, 'far' | 'seq'>,
  order: EdgeOrder,
  direction: Direction,
  placed: boolean,
): { from: number; to: number } {
  const isOut = order === 'canonical' && direction === 'out';
  if (isOut && placed) return { from: 0, to: directory.chunks.length - 1 };
  const compare = itemOrder(order, direction);
  const least = { ...item, line: 0, column: 0, outgoing: true };
  const most = { ...item, line: isOut ? 0 : Number.MAX_SAFE_INTEGER, column: 0, outgoing: false };
  return { from: chunkOf(directory, least, compare), to: chunkOf(directory, most, compare) };
}
