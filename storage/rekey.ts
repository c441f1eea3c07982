import { nodeId } from './codec.js';
import type { Frame } from './frame.js';
import { chunkKey, generationRange, type KeySpace } from './keys.js';
import type { Bytes, KeyValueStore, Write } from './kv.js';
import { namesOf } from './layer-reader.js';

/**
 * Copies every record whose key holds a hashed id to where `target` puts it, in pages. What was there under the
 * old salt stays, so the layer is whole at every moment: the caller flips the header, then clears the old keys.
 *
 * @returns False when two ids share a key under the new salt too; the half-made copy is then removed.
 */
export async function copyUnderSalt(store: KeyValueStore, frame: Frame, target: KeySpace): Promise<boolean> {
  await store.clear(generationRange(target.generation));
  const done = await copyNodes(store, frame, target);
  if (!done) {
    await store.clear(generationRange(target.generation));
    return false;
  }
  await copyAdjacency(store, frame, target);
  await copyEdges(store, frame, target);
  return true;
}

async function copyNodes(store: KeyValueStore, frame: Frame, target: KeySpace): Promise<boolean> {
  for await (const page of store.scan(frame.keys.table('nodes'))) {
    const writes = page.map(([, value]) => ({ key: target.node(nodeId(value)), value }));
    const distinct = new Set(writes.map(({ key }) => key.toString('latin1')));
    const taken = await store.getMany(writes.map(({ key }) => key));
    if (distinct.size < writes.length || taken.some((bytes) => bytes !== undefined)) return false;
    await store.write(writes);
  }
  return true;
}

async function copyAdjacency(store: KeyValueStore, frame: Frame, target: KeySpace): Promise<void> {
  const { width } = frame.keys.form;
  for await (const page of store.scan(frame.keys.table('adjacency'))) {
    const owners = await namesOf(
      store,
      frame,
      page.map(([key]) => key),
    );
    await store.write(
      page.flatMap(([key, value], at): Write[] => {
        const owner = owners[at];
        return owner === undefined ? [] : [{ key: moved(key, owner, width, target), value }];
      }),
    );
  }
}

/** The same key with another hash of its node. */
function moved(key: Bytes, owner: string, width: number, target: KeySpace): Buffer {
  const typeCode = ((key[width + 2] ?? 0) << 8) | (key[width + 3] ?? 0);
  const head = target.adjacency(owner, key[width + 1] === 0 ? 'out' : 'in', typeCode);
  return key.length === head.length ? head : chunkKey(head, Buffer.from(key).readUInt32BE(head.length));
}

async function copyEdges(store: KeyValueStore, frame: Frame, target: KeySpace): Promise<void> {
  const { width } = frame.keys.form;
  const typeAt = 1 + width;
  for await (const page of store.scan(frame.keys.table('edges'))) {
    const keys = page.map(([key]) => Buffer.from(key));
    const froms = await namesOf(store, frame, keys);
    // Seen from one byte before it, the far end stands in an edge's key as the start does.
    const tos = await namesOf(
      store,
      frame,
      keys.map((key) => key.subarray(typeAt + 1)),
    );
    await store.write(
      page.flatMap(([, value], at): Write[] => {
        const key = keys[at];
        const from = froms[at];
        if (key === undefined || from === undefined) return [];
        const type = frame.types.byCode(key.readUInt16BE(typeAt));
        const seq = Number(type.order === 'creation' ? key.readBigUInt64BE(typeAt + 2) : 0);
        const to = tos[at];
        if (type.order === 'creation') return [{ key: target.edge(from, type.code, { seq }), value }];
        return to === undefined ? [] : [{ key: target.edge(from, type.code, { to }), value }];
      }),
    );
  }
}
