import { rmSync } from 'node:fs';
import type { KeyValueReader, KeyValueStore } from './kv.js';
import { shareStore } from './linked-copy.js';
import { nextToStore, swapStore } from './swap-store.js';

const NOTHING: KeyValueReader = {
  getMany: (keys) => keys.map(() => undefined),
  async *scan() {},
};

/** How a store's folder is opened. */
interface Opening {
  /** The store, when what stands in its folder is another. */
  readonly reopen: () => Promise<KeyValueStore>;
  /** One in another folder. */
  readonly open: (folder: string) => Promise<KeyValueStore>;
}

/**
 * A store in a folder that can be filled while it is empty (`KeyValueStore.fillFrom`): with a copy that is prepared beside
 * it and takes its place. It is closed for that moment, in which readers find what there was: nothing. A kill at any point
 * leaves an empty store or the whole copy.
 */
export function fillableStore(first: KeyValueStore, { reopen, open }: Opening): KeyValueStore {
  const { engine, place } = first;
  let store = first;
  let isAway = false;
  const now = (): KeyValueReader => (isAway ? NOTHING : store);

  const takePlace = async () => {
    isAway = true;
    try {
      await swapStore(place, store);
    } finally {
      // Whichever of the two is in its place by now.
      store = await reopen();
      isAway = false;
    }
  };
  return {
    engine,
    place,
    getMany: (keys) => now().getMany(keys),
    scan: (range) => now().scan(range),
    write: (batch, options) => store.write(batch, options),
    snapshot() {
      if (isAway) return { ...NOTHING, close: async () => undefined };
      const [pinned, made] = [store.snapshot(), store];
      const then = (): KeyValueReader => (store === made && !isAway ? pinned : NOTHING);
      return {
        getMany: (keys) => then().getMany(keys),
        scan: (range) => then().scan(range),
        close: () => pinned.close(),
      };
    },
    clear: (range) => store.clear(range),
    sizeOnDisk: async () => (isAway ? 0 : store.sizeOnDisk()),
    async fillFrom(folder, prepare) {
      const copied = nextToStore(place);
      if (!shareStore(folder, copied)) return false;
      try {
        const copy = await open(copied);
        if (await prepare(copy).finally(() => copy.close())) {
          await takePlace();
          return true;
        }
      } catch {
        // It is damaged, or not such a store: the one that is there stays.
      }
      rmSync(copied, { recursive: true, force: true });
      return false;
    },
    close: () => store.close(),
  };
}
