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

/** Messages from a side thread to the history's thread. */
type FromSide =
  | { readonly ask: number; readonly version: number; readonly layer: Layer; readonly keys: Packed }
  | { readonly ask: number; readonly version: number; readonly layer: Layer; readonly range: KeyRange }
  /** Changed files that a walker found. */
  | { readonly root: string; readonly changed: readonly string[] }
  /** What has to be recorded after an answer. */
  | { readonly root: string; readonly due: FollowUp };

/** Messages from the history's thread to a side thread. */
export type ToSide =
  | { readonly ask: number; readonly found: Packed }
  | { readonly ask: number; readonly failed: ErrorBody }
  /** A version that is closed. */
  | { readonly dropped: number };

type Asked = Extract<FromSide, { readonly ask: number }>;

/** How {@link serveStores} answers. */
export interface Serving {
  /** The store of a version; undefined when the version is closed. */
  readonly reader: (version: number, layer: Layer) => KeyValueReader | undefined;
  /** Handles the other messages of the side thread. */
  readonly hear: (said: Extract<FromSide, { readonly root: string }>) => void;
  /** Whether this thread has other requests to answer. */
  readonly isBusy: () => boolean;
}

/**
 * Answers the reads of a side thread, one per turn of the event loop: the runs of this thread come first.
 */
export function serveStores(port: MessagePort, { reader, hear, isBusy }: Serving): void {
  const waiting: Asked[] = [];
  let isServing = false;
  const found = async (asked: Asked): Promise<Packed> => {
    const store = reader(asked.version, asked.layer);
    if (store === undefined) throw new CodewalkError('STORE_CLOSED', 'this version is not open any more');
    if ('keys' in asked) return packed(await store.getMany(unpacked(asked.keys).map(present)));
    for await (const page of store.scan(asked.range)) return packed(page.flat());
    return packed([]);
  };
  const serve = async (asked: Asked) => {
    const { ask } = asked;
    try {
      const answer = await found(asked);
      const message: ToSide = { ask, found: answer };
      port.postMessage(message, [answer.bytes.buffer, answer.lengths.buffer]);
    } catch (thrown) {
      port.postMessage({ ask, failed: toCodewalkError(thrown).toBody() } satisfies ToSide);
    }
  };
  const serveAll = async () => {
    isServing = true;
    for (let asked = waiting.shift(); asked !== undefined; asked = waiting.shift()) {
      const from = performance.now();
      await serve(asked);
      const took = performance.now() - from;
      await (isBusy() ? sleep(REST * took) : nextTurn());
    }
    isServing = false;
  };
  port.on('message', (said: FromSide) => {
    if ('root' in said) hear(said);
    else {
      waiting.push(said);
      if (!isServing) void serveAll();
    }
  });
}

/** The stores of a history, read from a side thread. */
export class FarStores {
  readonly #asked = new Map<
    number,
    { done: (found: Packed) => void; failed: (error: CodewalkError) => void }
  >();
  #lastAsk = 0;

  /** @param dropped called when a version is closed. */
  constructor(
    private readonly port: MessagePort,
    dropped: (version: number) => void,
  ) {
    port.on('message', (message: ToSide) => {
      if ('dropped' in message) {
        dropped(message.dropped);
        return;
      }
      const asked = this.#asked.get(message.ask);
      this.#asked.delete(message.ask);
      if ('found' in message) asked?.done(message.found);
      else asked?.failed(errorFromBody(message.failed));
    });
    // Only pending reads keep the thread alive.
    port.unref();
  }

  /** Sends a message to the history's thread. */
  say(said: Extract<FromSide, { readonly root: string }>): void {
    this.port.postMessage(said);
  }

  /** One version of a layer's store. It never changes and refuses writes. */
  store(version: number, layer: Layer): KeyValueStore {
    const reader: KeyValueReader = {
      getMany: async (keys) => {
        const values: (Bytes | undefined)[] = [];
        for (let at = 0; at < keys.length; at += KEYS_AT_ONCE) {
          const some = packed(keys.slice(at, at + KEYS_AT_ONCE));
          for (const value of unpacked(await this.#ask({ version, layer, keys: some }))) values.push(value);
        }
        return values;
      },
      scan: (range) => this.#scan(version, layer, range),
    };
    const refuse = () => new CodewalkError('READ_ONLY', 'a run beside the thread of its graph only reads it');
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

  async *#scan(version: number, layer: Layer, range: KeyRange): AsyncGenerator<readonly KeyValueEntry[]> {
    let left = range.limit ?? Number.POSITIVE_INFINITY;
    let { from, to } = range;
    while (left > 0) {
      const limit = Number.isFinite(left) ? { limit: left } : {};
      const asked = { from, to, reverse: range.reverse ?? false, ...limit };
      const flat = unpacked(await this.#ask({ version, layer, range: asked }));
      const page: KeyValueEntry[] = [];
      for (let at = 0; at + 1 < flat.length; at += 2) page.push([present(flat[at]), present(flat[at + 1])]);
      const last = page.at(-1)?.[0];
      if (last === undefined) return;
      yield page;
      left -= page.length;
      // Copies: a message carries the whole buffer of a view.
      if (range.reverse) to = Uint8Array.from(last);
      else from = Uint8Array.from([...last, 0]);
    }
  }

  #ask(
    asked:
      | { readonly version: number; readonly layer: Layer; readonly keys: Packed }
      | { readonly version: number; readonly layer: Layer; readonly range: KeyRange },
  ): Promise<Packed> {
    const ask = ++this.#lastAsk;
    this.port.ref();
    return new Promise<Packed>((done, failed) => {
      this.#asked.set(ask, { done, failed });
      const moved = 'keys' in asked ? [asked.keys.bytes.buffer, asked.keys.lengths.buffer] : [];
      this.port.postMessage({ ask, ...asked } satisfies FromSide, moved);
    }).finally(() => {
      if (this.#asked.size === 0) this.port.unref();
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
