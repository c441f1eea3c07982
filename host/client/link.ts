import { connect, type Socket } from 'node:net';
import type { Progress } from '../../runtime/index.js';
import { type ErrorBody, errorFromBody } from '../../schema/index.js';
import { type Hello, onLines } from '../daemon/wire.js';
import type { Ask, SpawnOptions } from '../host.js';

/** Milliseconds that a daemon has to say who it is. */
const HELLO_MS = 2000;

/** The daemon went away, or will: what was asked is to be asked of its successor. */
export class LinkLost extends Error {
  /** @param mayHaveBegun Whether it may have begun what was asked. */
  constructor(readonly mayHaveBegun = true) {
    super();
  }
}

/** A request on its way. */
interface Call {
  readonly options: SpawnOptions;
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
  readonly #calls = new Map<number, Call>();
  #lastId = 0;
  #isLost = false;
  /** Resolves when the connection is over. */
  readonly closed: Promise<void>;

  private constructor(
    private readonly socket: Socket,
    /** What the daemon said of itself. */
    readonly hello: Hello,
  ) {
    this.closed = new Promise((done) => {
      socket.once('close', () => {
        done();
        this.#isLost = true;
        for (const { failed } of [...this.#calls.values()]) failed(new LinkLost());
      });
    });
    socket.unref();
  }

  /** Connects to a daemon; null where no daemon of ours listens. @param own What this program says of itself. */
  static open(address: string, own: Hello): Promise<Link | null> {
    return new Promise((done) => {
      const socket = connect(address);
      let link: Link | null = null;
      const giveUp = () => {
        clearTimeout(late);
        if (link) return;
        socket.destroy();
        done(null);
      };
      const late = setTimeout(giveUp, HELLO_MS);
      socket.on('error', giveUp);
      socket.once('close', giveUp);
      socket.once('connect', () => socket.write(`${JSON.stringify({ hello: own })}\n`));
      onLines(socket, (line) => {
        if (link) return link.#hear(line);
        const hello = helloIn(line);
        if (hello === null) return giveUp();
        clearTimeout(late);
        link = new Link(socket, hello);
        done(link);
      });
    });
  }

  /** Whether the daemon can no longer be asked. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /**
   * Asks the daemon.
   *
   * @throws CodewalkError as the daemon answers; LinkLost when it goes away first.
   */
  ask(ask: Ask, options: SpawnOptions = {}): Promise<unknown> {
    if (this.#isLost) return Promise.reject(new LinkLost(false));
    const { signal } = options;
    const id = ++this.#lastId;
    const cancel = () => this.#send({ id, cancel: true });
    const answer = new Promise((done, failed) => {
      this.#calls.set(id, { options, done, failed });
    });
    // A request keeps the process alive, a connection by itself does not.
    this.socket.ref();
    this.#send({ id, ...ask });
    if (signal?.aborted) cancel();
    else signal?.addEventListener('abort', cancel, { once: true });
    return answer.finally(() => signal?.removeEventListener('abort', cancel));
  }

  /** Ends the connection. */
  close(): void {
    this.socket.destroy();
  }

  #send(line: object): void {
    if (this.socket.writable) this.socket.write(`${JSON.stringify(line)}\n`);
  }

  #hear(text: string): void {
    const line: DaemonLine = JSON.parse(text);
    // What it has begun it answers; what is new is for its successor.
    if (line.leaving) this.#isLost = true;
    const call = this.#calls.get(line.id);
    if (line.progress) call?.options.onProgress?.(line.progress);
    else if (line.printed !== undefined) call?.options.onPrint?.(line.printed);
    else {
      this.#calls.delete(line.id);
      if (this.#calls.size === 0) this.socket.unref();
      if (line.leaving) call?.failed(new LinkLost(false));
      else if (line.error) call?.failed(errorFromBody(line.error));
      else call?.done(line.answer);
    }
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
