import { PackedRecord } from './adjacency.js';
import { isStub } from './codec.js';
import { isDirectory } from './hub.js';
import { adjacencyKeyParts, type KeyForm } from './keys.js';
import type { KeyRange, KeyValueReader } from './kv.js';
import { asBuffer } from './msgpack.js';

/** How many nodes or edges there are of each type, by its code. */
export type TypeCounts = Readonly<Record<string, number>>;

/** The keys in which {@link countAll} looks, and how they are made. */
export interface Counted {
  readonly nodes: KeyRange;
  readonly adjacency: KeyRange;
  readonly form: KeyForm;
}

/** Counts what a layer holds by looking at all of it. */
export async function countAll(
  source: KeyValueReader,
  { nodes, adjacency, form }: Counted,
): Promise<TypeCounts> {
  const counts: Record<string, number> = {};
  const add = (code: number, count: number) => {
    if (count > 0) counts[code] = (counts[code] ?? 0) + count;
  };
  for await (const page of source.scan(nodes))
    for (const [, value] of page) if (!isStub(value)) add(asBuffer(value).readUInt16BE(0), 1);
  for await (const page of source.scan(adjacency)) {
    for (const [key, value] of page) {
      const { direction, typeCode } = adjacencyKeyParts(key, form);
      if (direction === 'out' && !isDirectory(value)) add(typeCode, new PackedRecord(value).leaving());
    }
  }
  return counts;
}

/** How the numbers of nodes and edges change with a commit. */
export class CountChanges {
  readonly #changes = new Map<number, number>();

  add(code: number, count: number): void {
    if (count !== 0) this.#changes.set(code, (this.#changes.get(code) ?? 0) + count);
  }

  after(before: TypeCounts): TypeCounts {
    if (this.#changes.size === 0) return before;
    const counts: Record<string, number> = { ...before };
    for (const [code, change] of this.#changes) {
      const count = (counts[code] ?? 0) + change;
      if (count > 0) counts[code] = count;
      else delete counts[code];
    }
    return counts;
  }
}
