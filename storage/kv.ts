/** A value now, or a promise of it: engines that can answer at once do, and their callers need not wait. */
export type Awaitable<T> = T | Promise<T>;

/** A key or a value. */
export type Bytes = Uint8Array;

/** Half-open range of keys in byte order: `from` included, `to` excluded. */
export interface KeyRange {
  from: Bytes;
  to: Bytes;
  /** Last key first. Default false. */
  reverse?: boolean;
  /** At most so many entries. Default: all. */
  limit?: number;
}

/** One record. */
export type KeyValueEntry = readonly [key: Bytes, value: Bytes];

/** One write of an atomic batch; `value: undefined` deletes the key. */
export interface Write {
  key: Bytes;
  value: Bytes | undefined;
}

/** Takes the writes of one atomic batch. */
export interface WriteBatch {
  put(key: Bytes, value: Bytes): void;
  del(key: Bytes): void;
}

/**
 * The writes of one batch: listed, or made while they are taken, so that they need not all be in memory at once. Whoever
 * makes many may take turns with others meanwhile.
 */
export type Writes = readonly Write[] | ((batch: WriteBatch) => Awaitable<void>);

/**
 * Asked by long work between short stretches of it: a promise where it is time that others have their turn, and
 * undefined, at next to no cost, where it is not.
 */
export type Pause = () => Promise<void> | undefined;

/** Gives listed writes to a batch. */
export function putAll(batch: WriteBatch, writes: readonly Write[]): void {
  for (const { key, value } of writes) {
    if (value === undefined) batch.del(key);
    else batch.put(key, value);
  }
}

/** What can be read, of a store or of one version of it. */
export interface KeyValueReader {
  /** The values of many keys in one round trip, in the keys' order; undefined where there is none. */
  getMany(keys: readonly Bytes[]): Awaitable<(Bytes | undefined)[]>;
  /** The entries of a range in byte order, in pages; each page is one round trip. */
  scan(range: KeyRange): AsyncIterable<readonly KeyValueEntry[]>;
}

/** One frozen version of a store. Close it when done: it holds disk space. */
export interface KeyValueSnapshot extends KeyValueReader {
  close(): Promise<void>;
}

/** Options of {@link KeyValueStore.write}. */
export interface WriteOptions {
  /** Wait until the batch is on disk. Default false: it survives the death of the process, not of the machine. */
  sync?: boolean;
}

/**
 * An ordered key-value store: all that Codewalk asks of a storage engine. Keys sort by their bytes.
 * Engines implement this; `test/storage/suite.ts` is what each must pass.
 */
export interface KeyValueStore extends KeyValueReader {
  /** `level`, `memory`: for messages and figures. */
  readonly engine: string;
  /** The folder, or `memory`: for messages. */
  readonly place: string;
  /** All writes of the batch or none; what making them throws is thrown. */
  write(batch: Writes, options?: WriteOptions): Promise<void>;
  /** The version of now, unaffected by later writes. */
  snapshot(): KeyValueSnapshot;
  /** Removes every key of the range. */
  clear(range: Pick<KeyRange, 'from' | 'to'>): Promise<void>;
  /** Bytes on disk (0 in memory), approximately. */
  sizeOnDisk(): Promise<number>;
  /**
   * Fills a store that is empty with what the store in another folder of the engine holds, sharing its files. Who reads
   * meanwhile, or reads a snapshot from before, finds nothing. Engines that keep nothing in files have no such function.
   *
   * @param prepare Gets the copy before it is shown. False: it is not taken.
   * @returns Whether it was; else the store is as it was.
   */
  fillFrom?(folder: string, prepare: (copy: KeyValueStore) => Promise<boolean>): Promise<boolean>;
  /** After this every call rejects with `STORE_CLOSED`. Closing twice is fine. */
  close(): Promise<void>;
}
