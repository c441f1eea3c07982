import { isRecordKey } from './keys.js';
import { type Bytes, type KeyValueStore, putAll } from './kv.js';

/** 2 MiB: room for the keys of large projects; when it is full, more is asked for in vain. */
const BITS = 1 << 24;
const MASK = BITS - 1;

/**
 * A store that was empty when it was given, asked only for keys that may have been written since: a first index looks
 * for the adjacency of every node before it writes it. Of keys one bit is kept, by their hash; a key that is not there
 * may share the bit of another, and is then looked for as usual. Snapshots and scans are not filtered.
 */
export function askedForWritten(store: KeyValueStore): KeyValueStore {
  const written = new Uint8Array(BITS >>> 3);
  const note = (key: Bytes) => {
    if (!isRecordKey(key)) return;
    const bit = bitOf(key);
    written[bit >>> 3] = (written[bit >>> 3] ?? 0) | (1 << (bit & 7));
  };
  const mayBeThere = (key: Bytes) => {
    if (!isRecordKey(key)) return true;
    const bit = bitOf(key);
    return ((written[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0;
  };
  let isClosed = false;
  return {
    ...store,
    close() {
      isClosed = true;
      return store.close();
    },
    getMany(keys) {
      const asked: Bytes[] = [];
      const places: number[] = [];
      for (let at = 0; at < keys.length; at += 1) {
        const key = keys[at];
        if (key === undefined || !mayBeThere(key)) continue;
        asked.push(key);
        places.push(at);
      }
      if (isClosed || asked.length === keys.length) return store.getMany(keys);
      const values = new Array<Bytes | undefined>(keys.length).fill(undefined);
      const spread = (found: readonly (Bytes | undefined)[]) => {
        for (let at = 0; at < places.length; at += 1) values[places[at] ?? 0] = found[at];
        return values;
      };
      if (asked.length === 0) return values;
      const found = store.getMany(asked);
      return found instanceof Promise ? found.then(spread) : spread(found);
    },
    write: (writes, options) =>
      store.write((batch) => {
        const noting = {
          put(key: Bytes, value: Bytes) {
            note(key);
            batch.put(key, value);
          },
          del: (key: Bytes) => batch.del(key),
        };
        if (typeof writes === 'function') return writes(noting);
        putAll(noting, writes);
      }, options),
  };
}

/** FNV-1a, as far as the bits go. */
function bitOf(key: Bytes): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ (key[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) & MASK;
}
