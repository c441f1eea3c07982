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

/** Keys that are asked for in one message: the thread that has the stores must not be long at any. */
const KEYS_AT_ONCE = 256;
/** So many times as long as it took to answer the last one the next waits, where the thread has others to answer. */
const REST = 4;

/** Many keys or values as two pieces of memory, which cross threads without being copied. */
interface Packed {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How long each is; -1: there is none. */
  readonly lengths: Int32Array<ArrayBuffer>;
}

/** What a thread beside a history's own says to it. */
type FromSide =
  | { readonly ask: number; readonly version: number; readonly layer: Layer; readonly keys: Packed }
  | { readonly ask: number; readonly version: number; readonly layer: Layer; readonly range: KeyRange }
  /** Files that a walker found changed. */
  | { readonly root: string; readonly changed: readonly string[] }
  /** What an answer leaves to be written down. */
  | { readonly root: string; readonly due: FollowUp };

/** What the thread of a history says to one beside it. */
export type ToSide =
  | { readonly ask: number; readonly found: Packed }
  | { readonly ask: number; readonly failed: ErrorBody }
  /** A version that nobody asks about any more. */
  | { readonly dropped: number };

type Asked = Extract<FromSide, { readonly ask: number }>;

/** How {@link serveStores} answers. */
export interface Serving {
  /** Undefined: the version is not open any more. */
  readonly reader: (version: number, layer: Layer) => KeyValueReader | undefined;
  /** Takes what else the other thread says. */
  readonly hear: (said: Extract<FromSide, { readonly root: string }>) => void;
  /** Whether this thread has others to answer. */
  readonly isBusy: () => boolean;
}

/**
 * Answers what a thread beside this one asks of the stores, one thing to a turn of the loop: whoever runs here comes
 * first.
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
      const told: ToSide = { ask, found: answer };
      port.postMessage(told, [answer.bytes.buffer, answer.lengths.buffer]);
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

/** The stores of a history as a thread beside its own reads them. */
export class FarStores {
  readonly #port: MessagePort;
  readonly #asked = new Map<
    number,
    { done: (found: Packed) => void; failed: (error: CodewalkError) => void }
  >();
  #lastAsk = 0;

  /** @param dropped called when a version is not open any more. */
  constructor(port: MessagePort, dropped: (version: number) => void) {
    this.#port = port;
    port.on('message', (told: ToSide) => {
      if ('dropped' in told) {
        dropped(told.dropped);
        return;
      }
      const asked = this.#asked.get(told.ask);
      this.#asked.delete(told.ask);
      if ('found' in told) asked?.done(told.found);
      else asked?.failed(errorFromBody(told.failed));
    });
    // What this thread has to do keeps it alive, not that it could ask for more.
    port.unref();
  }

  /** Tells the thread that has the stores something. */
  say(said: Extract<FromSide, { readonly root: string }>): void {
    this.#port.postMessage(said);
  }

  /** One version of a layer's store: it never changes, and writing to it is refused. */
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
      // Whoever opens a layer removes what a crash left: there is nothing, it is open elsewhere.
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
      // Copies: a message takes the whole memory with it that a view is a part of.
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
    this.#port.ref();
    return new Promise<Packed>((done, failed) => {
      this.#asked.set(ask, { done, failed });
      const moved = 'keys' in asked ? [asked.keys.bytes.buffer, asked.keys.lengths.buffer] : [];
      this.#port.postMessage({ ask, ...asked } satisfies FromSide, moved);
    }).finally(() => {
      if (this.#asked.size === 0) this.#port.unref();
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

/** Each is a view, none a copy. */
function unpacked({ bytes, lengths }: Packed): (Bytes | undefined)[] {
  let at = 0;
  return Array.from(lengths, (length) => {
    if (length < 0) return undefined;
    const one = Buffer.from(bytes.buffer, at, length);
    at += length;
    return one;
  });
}
