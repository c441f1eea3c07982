import type { AbstractIteratorOptions, AbstractLevel, AbstractSnapshot } from 'abstract-level';
import type {
  Bytes,
  KeyRange,
  KeyValueEntry,
  KeyValueSnapshot,
  KeyValueStore,
  WriteOptions,
  Writes,
} from './kv.js';
import { putAll } from './kv.js';
import { storeError } from './store-error.js';

/** An abstract-level database with binary keys and values. */
export type BinaryLevel = AbstractLevel<string | Buffer | Uint8Array, Bytes, Bytes>;

/** What differs between the engines that speak abstract-level. */
export interface LevelEngine {
  /** `level` or `memory`. */
  readonly engine: string;
  /** The folder, or `memory`: for messages. */
  readonly place: string;
  sizeOnDisk(): Promise<number>;
}

/** Entries of one page of a scan: large enough to hide the cost of a call, small enough to stay responsive. */
const PAGE_ENTRIES = 1000;
/** Engines cut a page short at so many bytes; larger than their 16 KiB default, for scans read many (limits.md, 2). */
const PAGE_BYTES = 256 * 1024;

/** An open abstract-level database as a {@link KeyValueStore}. */
export function abstractLevelStore(db: BinaryLevel, about: LevelEngine): KeyValueStore {
  const fail = (thrown: unknown) => storeError(thrown, about.place);
  return {
    engine: about.engine,
    place: about.place,
    getMany: (keys) => readMany(db, keys, undefined, fail),
    scan: (range) => scanPages(db, range, undefined, fail),
    write: (batch, options) => writeBatch(db, batch, options, fail),
    snapshot: () => pinned(db, fail),
    async clear(range) {
      await db.clear({ gte: range.from, lt: range.to }).catch((thrown: unknown) => {
        throw fail(thrown);
      });
    },
    async sizeOnDisk() {
      if (db.status !== 'open') throw fail(closedError());
      return about.sizeOnDisk();
    },
    close: () => db.close(),
  };
}

type Fail = (thrown: unknown) => Error;

function pinned(db: BinaryLevel, fail: Fail): KeyValueSnapshot {
  let snapshot: AbstractSnapshot;
  try {
    snapshot = db.snapshot();
  } catch (thrown) {
    throw fail(thrown);
  }
  return {
    getMany: (keys) => readMany(db, keys, snapshot, fail),
    scan: (range) => scanPages(db, range, snapshot, fail),
    close: () => snapshot.close(),
  };
}

/** Synchronous gets: a get that waits for the thread pool costs 20 times as much (limits.md). */
function readMany(
  db: BinaryLevel,
  keys: readonly Bytes[],
  snapshot: AbstractSnapshot | undefined,
  fail: Fail,
): (Bytes | undefined)[] {
  const values = new Array<Bytes | undefined>(keys.length);
  try {
    if (snapshot === undefined) for (const [at, key] of keys.entries()) values[at] = db.getSync(key);
    else for (const [at, key] of keys.entries()) values[at] = db.getSync(key, { snapshot });
  } catch (thrown) {
    throw fail(thrown);
  }
  return values;
}

async function* scanPages(
  db: BinaryLevel,
  range: KeyRange,
  snapshot: AbstractSnapshot | undefined,
  fail: Fail,
): AsyncGenerator<readonly KeyValueEntry[]> {
  const options: AbstractIteratorOptions<Bytes, Bytes> & { highWaterMarkBytes: number } = {
    gte: range.from,
    lt: range.to,
    reverse: range.reverse ?? false,
    limit: range.limit ?? -1,
    highWaterMarkBytes: PAGE_BYTES,
    ...(snapshot === undefined ? {} : { snapshot }),
  };
  const iterator = attempt(() => db.iterator(options), fail);
  try {
    for (;;) {
      const page = await iterator.nextv(PAGE_ENTRIES).catch((thrown: unknown) => {
        throw fail(thrown);
      });
      if (page.length === 0) return;
      yield page;
    }
  } finally {
    await iterator.close();
  }
}

async function writeBatch(
  db: BinaryLevel,
  writes: Writes,
  options: WriteOptions | undefined,
  fail: Fail,
): Promise<void> {
  // A chained batch takes 1.5 times as many records a second as an array of operations (limits.md).
  const batch = attempt(() => db.batch(), fail);
  try {
    if (typeof writes !== 'function') putAll(batch, writes);
    else {
      const taking = writes(batch);
      if (taking) await taking;
    }
    const written: { sync?: boolean } = { sync: options?.sync ?? false };
    await batch.write(written);
  } catch (thrown) {
    await batch.close();
    throw fail(thrown);
  }
}

function attempt<T>(action: () => T, fail: Fail): T {
  try {
    return action();
  } catch (thrown) {
    throw fail(thrown);
  }
}

function closedError(): Error {
  return Object.assign(new Error('Database is not open'), { code: 'LEVEL_DATABASE_NOT_OPEN' });
}
