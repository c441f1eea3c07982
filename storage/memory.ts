import { MemoryLevel } from 'memory-level';
import { abstractLevelStore } from './abstract-level-store.js';
import type { Bytes, KeyValueStore } from './kv.js';

/** A store that lives in memory and is gone when it closes. */
export async function openMemoryStore(): Promise<KeyValueStore> {
  const db = new MemoryLevel<Bytes, Bytes>({ keyEncoding: 'buffer', valueEncoding: 'buffer' });
  await db.open();
  return abstractLevelStore(db, { engine: 'memory', place: 'memory', sizeOnDisk: async () => 0 });
}
