import { whenThere } from './frame.js';
import {
  type Bytes,
  type KeyRange,
  type KeyValueEntry,
  type KeyValueReader,
  type KeyValueStore,
  putAll,
} from './kv.js';

/** The first byte of what the upper store has of a key: a value follows, or the key is gone. */
const [GONE, THERE] = [0, 1];
const [DELETED, PRESENT] = [Buffer.from([GONE]), Buffer.from([THERE])];
/** Entries of one page of a scan, and of one batch that clears. */
const PAGE_ENTRIES = 1000;

/**
 * A store that shows what another one holds, and keeps what is changed in a store of its own: the lower one is never
 * written to, so its files stay those of whom it shares them with.
 *
 * @param upper Holds the changes. Both are closed with the whole.
 */
export function overlayStore(upper: KeyValueStore, lower: KeyValueStore): KeyValueStore {
  const reader = overlaid(upper, lower);
  return {
    ...reader,
    engine: upper.engine,
    place: upper.place,
    write: (writes, options) =>
      upper.write((batch) => {
        const above = {
          put: (key: Bytes, value: Bytes) => batch.put(key, Buffer.concat([PRESENT, value])),
          del: (key: Bytes) => batch.put(key, DELETED),
        };
        if (typeof writes === 'function') return writes(above);
        return putAll(above, writes);
      }, options),
    snapshot() {
      const pinned = upper.snapshot();
      return { ...overlaid(pinned, lower), close: () => pinned.close() };
    },
    async clear({ from, to }) {
      // What is below stays hidden wherever this is cut off.
      for await (const page of reader.scan({ from, to }))
        await upper.write(page.map(([key]) => ({ key, value: DELETED })));
    },
    sizeOnDisk: async () => (await upper.sizeOnDisk()) + (await lower.sizeOnDisk()),
    async close() {
      await upper.close();
      await lower.close();
    },
  };
}

function overlaid(upper: KeyValueReader, lower: KeyValueReader): KeyValueReader {
  return {
    getMany: (keys) =>
      whenThere(upper.getMany(keys), (above) => {
        const missing = keys.filter((_, at) => above[at] === undefined);
        if (missing.length === 0) return above.map(valueAbove);
        return whenThere(lower.getMany(missing), (below) => {
          let at = 0;
          return above.map((value) => (value === undefined ? below[at++] : valueAbove(value)));
        });
      }),
    scan: (range) => merged(upper, lower, range),
  };
}

function valueAbove(bytes: Bytes | undefined): Bytes | undefined {
  return bytes?.[0] === THERE ? bytes.subarray(1) : undefined;
}

/** One entry after the other of a scan in pages. */
class Cursor {
  #page: readonly KeyValueEntry[] = [];
  #at = 0;
  readonly #pages: AsyncIterator<readonly KeyValueEntry[]>;

  constructor(pages: AsyncIterable<readonly KeyValueEntry[]>) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  get entry(): KeyValueEntry | undefined {
    return this.#page[this.#at];
  }

  /** Whether the next page has to be read first. */
  get isSpent(): boolean {
    return this.#at >= this.#page.length;
  }

  step(): void {
    this.#at += 1;
  }

  /** Reads the next page; an empty one is the end. */
  async read(): Promise<void> {
    const { done, value } = await this.#pages.next();
    [this.#page, this.#at] = [done ? [] : value, 0];
  }

  async close(): Promise<void> {
    await this.#pages.return?.();
  }
}

async function* merged(
  upper: KeyValueReader,
  lower: KeyValueReader,
  { limit = Number.POSITIVE_INFINITY, ...range }: KeyRange,
): AsyncGenerator<readonly KeyValueEntry[]> {
  const [above, below] = [new Cursor(upper.scan(range)), new Cursor(lower.scan(range))];
  const sign = range.reverse ? -1 : 1;
  let left = limit;
  let page: KeyValueEntry[] = [];
  try {
    await above.read();
    await below.read();
    for (let [a, b] = [above.entry, below.entry]; left > 0 && (a || b); [a, b] = [above.entry, below.entry]) {
      const order = a && b ? sign * Buffer.compare(a[0], b[0]) : a ? -1 : 1;
      const value = order <= 0 ? valueAbove(a?.[1]) : b?.[1];
      const key = order <= 0 ? a?.[0] : b?.[0];
      if (key && value) {
        page.push([key, value]);
        left -= 1;
      }
      if (order <= 0) above.step();
      if (order >= 0) below.step();
      if (page.length === PAGE_ENTRIES) {
        yield page;
        page = [];
      }
      if (order <= 0 && above.isSpent) await above.read();
      if (order >= 0 && below.isSpent) await below.read();
    }
    if (page.length > 0) yield page;
  } finally {
    await above.close();
    await below.close();
  }
}
