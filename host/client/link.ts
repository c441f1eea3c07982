import { connect, type Socket } from 'node:net';
import type { Progress } from '../../runtime/index.js';
import { type ErrorBody, errorFromBody } from '../../schema/index.js';
import { type Ask, type Hello, onLines } from '../daemon/wire.js';
import type { SpawnOptions } from '../host.js';

/** Milliseconds that a daemon has to say who it is. */
const HELLO_MS = 2000;

/** The daemon went away, or will: what was asked is to be asked of its successor. */
export class LinkLost extends Error {
  /** @param mayHaveBegun Whether it may have begun what was asked. */
  constructor(readonly mayHaveBegun = true) {
    super();
  }
}

/** One question on its way. */
interface Asked {
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly onPrint: ((text: string) => void) | undefined;
  readonly done: (answer: unknown) => void;
  readonly failed: (error: Error) => void;
}

interface DaemonLine {
  readonly id: number;
  readonly answer?: unknown;
  readonly progress?: Progress;
  readonly printed?: string;
  readonly error?: ErrorBody;
  readonly leaving?: true;
}

/** A connection to a daemon that has said who it is. */
export class Link {
  readonly #socket: Socket;
  readonly #asked = new Map<number, Asked>();
  readonly #closed: Promise<void>;
  #lastId = 0;
  #lost = false;

  private constructor(
    socket: Socket,
    /** What the daemon said of itself. */
    readonly hello: Hello,
  ) {
    this.#socket = socket;
    this.#closed = new Promise((done) => socket.once('close', () => done()));
    socket.once('close', () => this.#lose());
    socket.unref();
  }

  /**
   * Connects to a daemon.
   *
   * @param own What this program says of itself.
   * @returns null where no daemon of ours listens.
   */
  static open(address: string, own: Hello): Promise<Link | null> {
    return new Promise((done) => {
      const socket = connect(address);
      const giveUp = () => {
        clearTimeout(late);
        socket.destroy();
        done(null);
      };
      const late = setTimeout(giveUp, HELLO_MS);
      socket.once('error', giveUp);
      socket.once('close', giveUp);
      socket.once('connect', () => socket.write(`${JSON.stringify({ hello: own })}\n`));
      let link: Link | null = null;
      onLines(socket, (line) => {
        if (link) {
          link.#hear(line);
          return;
        }
        const hello = helloIn(line);
        if (hello === null) return giveUp();
        clearTimeout(late);
        socket.off('error', giveUp);
        socket.off('close', giveUp);
        socket.on('error', () => undefined);
        link = new Link(socket, hello);
        done(link);
      });
    });
  }

  /** Whether the daemon can still be asked. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Resolves when the connection is over. */
  get closed(): Promise<void> {
    return this.#closed;
  }

  /**
   * Asks the daemon.
   *
   * @throws CodewalkError as the daemon answers; LinkLost when it goes away first.
   */
  ask(ask: Ask, { signal, onProgress, onPrint }: SpawnOptions = {}): Promise<unknown> {
    if (this.#lost) return Promise.reject(new LinkLost(false));
    const id = ++this.#lastId;
    const cancel = () => this.#send({ id, cancel: true });
    return new Promise((done, failed) => {
      const settle =
        <T>(tell: (value: T) => void) =>
        (value: T) => {
          this.#asked.delete(id);
          if (this.#asked.size === 0) this.#socket.unref();
          signal?.removeEventListener('abort', cancel);
          tell(value);
        };
      this.#asked.set(id, { onProgress, onPrint, done: settle(done), failed: settle(failed) });
      // A request keeps the process alive, a connection by itself does not.
      this.#socket.ref();
      this.#send({ id, ...ask });
      if (signal?.aborted) cancel();
      else signal?.addEventListener('abort', cancel, { once: true });
    });
  }

  /** Ends the connection. */
  close(): void {
    this.#socket.destroy();
  }

  #send(line: object): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(line)}\n`);
  }

  #hear(text: string): void {
    const line: DaemonLine = JSON.parse(text);
    // What it has begun it answers; what is new is for its successor.
    if (line.leaving) this.#lost = true;
    const asked = this.#asked.get(line.id);
    if (!asked) return;
    if (line.progress) asked.onProgress?.(line.progress);
    else if (line.printed !== undefined) asked.onPrint?.(line.printed);
    else if (line.leaving) asked.failed(new LinkLost(false));
    else if (line.error) asked.failed(errorFromBody(line.error));
    else asked.done(line.answer);
  }

  #lose(): void {
    this.#lost = true;
    for (const { failed } of [...this.#asked.values()]) failed(new LinkLost());
  }
}

function helloIn(line: string): Hello | null {
  try {
    const { hello }: { readonly hello?: Partial<Hello> } = JSON.parse(line);
    const { protocol, version, built, pid } = hello ?? {};
    if (typeof protocol !== 'number' || typeof version !== 'string' || typeof built !== 'number') return null;
    return { protocol, version, built, ...(typeof pid === 'number' ? { pid } : {}) };
  } catch {
    return null;
  }
}
