import { PackedRecord } from '../adjacency.js';
import type { Bytes } from '../kv.js';

/** Typed arrays that grow at their end: what is in them takes as many bytes as it has, objects take ten times that. */
type Numbers = Int32Array | Uint16Array | Uint8Array;

const FEWEST = 64;

const PAGE_BITS = 10;

const PAGE = 1 << PAGE_BITS;

/** Whole numbers by whole numbers from 0, zero where none was set: in pages, of which only those in use take room. */
class PagedNumbers {
  readonly #pages: (Int32Array | undefined)[] = [];
  #used = 0;

  at(index: number): number {
    const page = this.#pages[index >>> PAGE_BITS];
    return page === undefined ? 0 : (page[index & (PAGE - 1)] ?? 0);
  }

  set(index: number, value: number): void {
    const at = index >>> PAGE_BITS;
    let page = this.#pages[at];
    if (page === undefined) {
      page = new Int32Array(PAGE);
      this.#pages[at] = page;
      this.#used += 1;
    }
    page[index & (PAGE - 1)] = value;
  }

  /** Bytes of memory. */
  get bytes(): number {
    return this.#used * PAGE * Int32Array.BYTES_PER_ELEMENT;
  }
}

/** Where a lane's records are, by record number: 0 is that of nodes that were not read, 1 that of nodes without edges. */
const UNREAD = 0;
const EMPTY = 1;

/**
 * The adjacency of one edge type in one direction as far as it was read, in typed arrays: per node a run of far nodes'
 * numbers, in the order of its edges. The rest of its records (numbers, positions, inline properties) stays packed.
 */
export class Lane {
  /** Numbers of far nodes, and the codes of their archetypes, run after run. */
  fars = new Int32Array(0);
  farTypes = new Uint16Array(0);
  /** Of each record, where its run begins, and how long it is. */
  firsts = new Int32Array(2);
  counts = new Int32Array(2);
  readonly #records = new PagedNumbers();
  #recordCount = 2;
  #length = 0;
  /** Packed records without ids, one or a hub's chunks after the other, each behind its length. */
  #packed = new Uint8Array(0);
  #packedLength = 0;
  /** Of each record, where it begins there. */
  #places = new Int32Array(2);
  #dropped = 0;

  /** The record of a node; undefined where it was not read. */
  recordOf(node: number): number | undefined {
    const record = this.#records.at(node);
    return record === UNREAD ? undefined : record;
  }

  /** Takes in what is stored of a node: its record, or a hub's chunks, or nothing. */
  put(node: number, stored: readonly Bytes[], numberOf: (id: string) => number): void {
    if (stored.length === 0) {
      this.#records.set(node, EMPTY);
      return;
    }
    const record = this.#recordCount++;
    this.firsts = withRoom(this.firsts, this.#recordCount);
    this.counts = withRoom(this.counts, this.#recordCount);
    this.#places = withRoom(this.#places, this.#recordCount);
    this.firsts[record] = this.#length;
    this.#places[record] = this.#packedLength;
    for (const bytes of stored) this.#add(new PackedRecord(bytes), numberOf);
    this.counts[record] = this.#length - (this.firsts[record] ?? 0);
    this.#records.set(node, record);
  }

  /** Lets go of what is known of a node. */
  forget(node: number): void {
    const record = this.#records.at(node);
    if (record === UNREAD) return;
    this.#dropped += this.counts[record] ?? 0;
    this.#records.set(node, UNREAD);
  }

  /** The packed records of a node's record without their ids, and where the run of each begins. */
  packedOf(record: number): { readonly bytes: Uint8Array; readonly first: number }[] {
    const parts: { bytes: Uint8Array; first: number }[] = [];
    let at = this.#places[record] ?? 0;
    let first = this.firsts[record] ?? 0;
    const end = first + (this.counts[record] ?? 0);
    while (first < end) {
      const length = readLength(this.#packed, at);
      const bytes = this.#packed.subarray(at + LENGTH_BYTES, at + LENGTH_BYTES + length);
      parts.push({ bytes, first });
      first += PackedRecord.countOf(bytes);
      at += LENGTH_BYTES + length;
    }
    return parts;
  }

  /** Bytes of memory. */
  get bytes(): number {
    const { fars, farTypes, firsts, counts } = this;
    const arrays = [fars, farTypes, firsts, counts, this.#places, this.#packed];
    return arrays.reduce((sum, { byteLength }) => sum + byteLength, this.#records.bytes);
  }

  /** Edges that it holds, and how many of them nobody can ask for any more. */
  get edges(): { readonly all: number; readonly dropped: number } {
    return { all: this.#length, dropped: this.#dropped };
  }

  #add(record: PackedRecord, numberOf: (id: string) => number): void {
    const from = this.#length;
    this.#length += record.count;
    this.fars = withRoom(this.fars, this.#length);
    this.farTypes = withRoom(this.farTypes, this.#length);
    const fars = record.fars();
    for (let at = 0; at < fars.length; at += 1) {
      this.fars[from + at] = numberOf(fars[at] ?? '');
      this.farTypes[from + at] = record.farType(at);
    }
    const rest = record.withoutIds();
    const place = this.#packedLength;
    this.#packedLength += LENGTH_BYTES + rest.length;
    this.#packed = withRoom(this.#packed, this.#packedLength);
    writeLength(this.#packed, place, rest.length);
    this.#packed.set(rest, place + LENGTH_BYTES);
  }
}

const LENGTH_BYTES = 4;

function writeLength(bytes: Uint8Array, at: number, length: number): void {
  for (let i = 0; i < LENGTH_BYTES; i += 1) bytes[at + i] = length >>> (8 * i);
}

function readLength(bytes: Uint8Array, at: number): number {
  let length = 0;
  for (let i = 0; i < LENGTH_BYTES; i += 1) length |= (bytes[at + i] ?? 0) << (8 * i);
  return length;
}

/** The same numbers with room for at least `wanted`, half as much again as there was; the array itself where it has it. */
function withRoom<T extends Numbers>(numbers: T, wanted: number): T {
  if (wanted <= numbers.length) return numbers;
  const length = Math.max(wanted, numbers.length + (numbers.length >>> 1), FEWEST);
  const grown = (
    numbers instanceof Int32Array
      ? new Int32Array(length)
      : numbers instanceof Uint16Array
        ? new Uint16Array(length)
        : new Uint8Array(length)
  ) as T;
  grown.set(numbers);
  return grown;
}
