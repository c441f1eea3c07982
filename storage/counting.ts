import type { KeyRange, KeyValueEntry, KeyValueReader, KeyValueStore } from './kv.js';

/** A store that counts what it is asked. */
export interface CountingStore extends KeyValueStore {
  /** Round trips so far: each `getMany`, each page of a scan, each write and each clear is one. */
  readonly roundTrips: number;
  /** Starts counting from zero. */
  resetRoundTrips(): void;
}

/** Wraps a store (and its snapshots) so that round trips are counted: what a remote engine would cost. */
export function countRoundTrips(store: KeyValueStore): CountingStore {
  let count = 0;
  const counted = (reader: KeyValueReader): KeyValueReader => ({
    getMany(keys) {
      count += 1;
      return reader.getMany(keys);
    },
    async *scan(range: KeyRange): AsyncGenerator<readonly KeyValueEntry[]> {
      for await (const page of reader.scan(range)) {
        count += 1;
        yield page;
      }
    },
  });
  return {
    ...counted(store),
    engine: store.engine,
    place: store.place,
    get roundTrips() {
      return count;
    },
    resetRoundTrips() {
      count = 0;
    },
    write(batch, options) {
      count += 1;
      return store.write(batch, options);
    },
    clear(range) {
      count += 1;
      return store.clear(range);
    },
    snapshot() {
      const snapshot = store.snapshot();
      return { ...counted(snapshot), close: () => snapshot.close() };
    },
    sizeOnDisk: () => store.sizeOnDisk(),
    ...(store.fillFrom && { fillFrom: store.fillFrom }),
    close: () => store.close(),
  };
}
