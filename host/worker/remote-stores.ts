import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import type { FollowUp } from '../../runtime/index.js';
import {
  CodewalkError,
  type ErrorBody,
  errorFromBody,
  type Layer,
  toCodewalkError,
} from '../../schema/index.js';
import type { Bytes, KeyRange, KeyValueEntry, KeyValueReader, KeyValueStore } from '../../storage/index.js';

/** Keys per message: the history's thread must answer each message quickly. */
const KEYS_AT_ONCE = 256;
/** While the history's thread is busy, it waits this many times the duration of its last answer before the next one. */
const REST = 4;

/** Keys or values in two buffers, which are transferred between threads without a copy. */
interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The length of each; -1: there is none. */
  readonly lengths: Int32Array<ArrayBuffer>;
}

/** A read of one version of a store. */
type Read = { readonly version: string; readonly layer: Layer } & (
  | { readonly keys: Packed }
  | { readonly range: KeyRange }
);

/** What a side thread reports to the history's thread: changed files that a walker found, or what is due after an answer. */
export type SideReport = { readonly root: string } & (
  | { readonly changed: readonly string[] }
  | { readonly due: FollowUp }
);

type FromSide = { readonly id: number; readonly read: Read } | { readonly report: SideReport };

/** Messages to a side thread. */
export type ToSide =
  | { readonly id: number; readonly found: Packed }
  | { readonly id: number; readonly failed: ErrorBody }
  /** A version that is closed. */
  | { readonly dropped: string };

/** How {@link serveStores} answers. */
interface Serving {
  /** The store of a version; undefined when the version is closed. */
  readonly reader: (version: string, layer: Layer) => KeyValueReader | undefined;
  readonly onReport: (report: SideReport) => void;
  /** Whether this thread has other requests to answer. */
  readonly isBusy: () => boolean;
}

/** Answers the reads of a side thread, one per turn of the event loop: the runs of this thread come first. */
export function serveStores(port: MessagePort, { reader, onReport, isBusy }: Serving): void {
  let last: Promise<unknown> = Promise.resolve();
  const found = async (read: Read): Promise<Packed> => {
    const store = reader(read.version, read.layer);
    if (store === undefined) throw new CodewalkError('STORE_CLOSED', 'this version is not open any more');
    if ('keys' in read) return packed(await store.getMany(unpacked(read.keys).map(present)));
    for await (const page of store.scan(read.range)) return packed(page.flat());
    return packed([]);
  };
  const serve = async (id: number, read: Read) => {
    const from = performance.now();
    try {
      const answer = await found(read);
      const message: ToSide = { id, found: answer };
      port.postMessage(message, [answer.bytes.buffer, answer.lengths.buffer]);
    } catch (thrown) {
      port.postMessage({ id, failed: toCodewalkError(thrown).toBody() } satisfies ToSide);
    }
    await (isBusy() ? sleep(REST * (performance.now() - from)) : nextTurn());
  };
  port.on('message', (message: FromSide) => {
    if ('report' in message) onReport(message.report);
    else last = last.then(() => serve(message.id, message.read));
  });
}

/** The stores of another thread, read through a port. */
export class RemoteStores {
  readonly #reads = new Map<
    number,
    { done: (found: Packed) => void; failed: (error: CodewalkError) => void }
  >();
  #lastId = 0;

  /** @param onDropped Called when a version is closed. */
  constructor(
    private readonly port: MessagePort,
    onDropped: (version: string) => void,
  ) {
    port.on('message', (message: ToSide) => {
      if ('dropped' in message) return onDropped(message.dropped);
      const read = this.#reads.get(message.id);
      this.#reads.delete(message.id);
      if ('found' in message) read?.done(message.found);
      else read?.failed(errorFromBody(message.failed));
    });
    // Only pending reads keep the thread alive.
    port.unref();
  }

  report(report: SideReport): void {
    this.port.postMessage({ report } satisfies FromSide);
  }

  /** One version of a layer's store. It never changes and refuses writes. */
  store(version: string, layer: Layer): KeyValueStore {
    const at = { version, layer };
    const reader: KeyValueReader = {
      getMany: async (keys) => {
        const values: (Bytes | undefined)[] = [];
        for (let first = 0; first < keys.length; first += KEYS_AT_ONCE) {
          const some = packed(keys.slice(first, first + KEYS_AT_ONCE));
          for (const value of unpacked(await this.#read({ ...at, keys: some }))) values.push(value);
        }
        return values;
      },
      scan: (range) => this.#scan(at, range),
    };
    const refuse = () => new CodewalkError('READ_ONLY', 'a run in a side thread only reads its graph');
    return {
      ...reader,
      engine: 'far',
      place: `the ${layer} store of another thread`,
      write: async () => Promise.reject(refuse()),
      snapshot: () => ({ ...reader, close: async () => undefined }),
      // Opening a layer removes what a crash left. There is nothing to remove: the store is open elsewhere.
      clear: async () => undefined,
      sizeOnDisk: async () => 0,
      close: async () => undefined,
    };
  }

  async *#scan(
    at: Pick<Read, 'version' | 'layer'>,
    range: KeyRange,
  ): AsyncGenerator<readonly KeyValueEntry[]> {
    let { from, to, limit: left = Number.POSITIVE_INFINITY } = range;
    while (left > 0) {
      const limit = Number.isFinite(left) ? { limit: left } : {};
      const asked = { from, to, reverse: range.reverse ?? false, ...limit };
      const flat = unpacked(await this.#read({ ...at, range: asked })).map(present);
      const page: KeyValueEntry[] = [];
      for (let index = 0; index < flat.length; index += 2)
        page.push([flat[index] ?? NOTHING, flat[index + 1] ?? NOTHING]);
      const last = page.at(-1)?.[0];
      if (last === undefined) return;
      yield page;
      left -= page.length;
      // Copies: a message carries the whole buffer of a view.
      if (range.reverse) to = Uint8Array.from(last);
      else from = Uint8Array.from([...last, 0]);
    }
  }

  #read(read: Read): Promise<Packed> {
    const id = ++this.#lastId;
    this.port.ref();
    return new Promise<Packed>((done, failed) => {
      this.#reads.set(id, { done, failed });
      const moved = 'keys' in read ? [read.keys.bytes.buffer, read.keys.lengths.buffer] : [];
      this.port.postMessage({ id, read } satisfies FromSide, moved);
    }).finally(() => {
      if (this.#reads.size === 0) this.port.unref();
    });
  }
}

const NOTHING = Buffer.alloc(0);

function present(bytes: Bytes | undefined): Bytes {
  return bytes ?? NOTHING;
}

function packed(list: readonly (Bytes | undefined)[]): Packed {
  const lengths = Int32Array.from(list, (bytes) => bytes?.length ?? -1);
  const bytes = new Uint8Array(list.reduce((sum, one) => sum + (one?.length ?? 0), 0));
  let at = 0;
  for (const one of list) {
    if (one === undefined) continue;
    bytes.set(one, at);
    at += one.length;
  }
  return { bytes, lengths };
}

/** Views of the buffer, not copies. */
function unpacked({ bytes, lengths }: Packed): (Bytes | undefined)[] {
  let at = 0;
  return Array.from(lengths, (length) => {
    if (length < 0) return undefined;
    const one = Buffer.from(bytes.buffer, at, length);
    at += length;
    return one;
  });
}
