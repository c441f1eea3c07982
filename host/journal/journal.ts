import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { LIMITS, toCodewalkError } from '../../schema/index.js';
import type { Agents } from '../agents.js';
import { processSurroundings, type Surroundings } from '../surroundings.js';
import { noteClients } from './clients-seen.js';
import { declinedOf } from './counts.js';
import type { DeclinedCounts } from './declined-counts.js';
import { EventRoots } from './event-root.js';
import { JournalFiles } from './journal-files.js';
import { type Drained, type HeardPayload, type Ingest, Look } from './look.js';

/** How a journal is read. */
export interface JournalOptions {
  /** The graphs home; absolute. */
  readonly home: string;
  readonly ingest: Ingest;
  /** Makes events of what clients' hooks gave. Default: nobody does, and their payloads stay where they are. */
  readonly agents?: Agents;
  /** Called with each payload of a client that was read, before its events are recorded. */
  readonly onPayload?: (heard: HeardPayload) => void;
  /** Whether the events of a root are taken in; those of others stay where they are. Default: all are. */
  readonly takes?: (root: string) => boolean;
  /** Default: those of this process. */
  readonly surroundings?: Surroundings;
}

/** Milliseconds in which more is expected when something came. */
const GATHER = 20;

/**
 * Reads what recorders put into the journal of a home and hands it on, root by root, in batches. A file is removed when
 * its event is recorded, and not before; what cannot be recorded is set aside and counted. However often it is stopped,
 * at any point: nothing is lost, and what is handed on twice counts once, by its id.
 */
export class Journal implements AsyncDisposable {
  readonly #files: JournalFiles;
  readonly #declined: DeclinedCounts;
  readonly #tries = new Map<string, number>();
  /** What the last whole look could not take in. */
  #left: ReadonlySet<string> = new Set();
  #draining: Promise<Drained> | null = null;
  #next: Promise<Drained> | null = null;
  #watcher: FSWatcher | null = null;
  #poll: NodeJS.Timeout | null = null;
  #gathering: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(private readonly options: JournalOptions) {
    this.#files = new JournalFiles(options.home);
    this.#declined = declinedOf(options.home);
  }

  /** Takes in what is there, and from now on what comes: told by the system, and by a look every two seconds. */
  watch(): void {
    const { fresh, tmp } = this.#files.folders;
    for (const folder of [fresh, tmp]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#files.sweep();
    this.#release();
    this.#poll = setInterval(() => this.#take(), LIMITS.journalPoll.default).unref();
    try {
      this.#watcher = watch(fresh, { persistent: false }, () => this.#gather());
      // Where the system cannot watch, or the folder went: the look every two seconds is left.
      this.#watcher.on('error', () => this.#watcher?.close());
    } catch {
      this.#watcher = null;
    }
    this.#gather();
  }

  /** Takes in all that is there now. */
  drain(): Promise<Drained> {
    if (this.#draining === null) {
      this.#draining = this.#drain().finally(() => {
        this.#draining = null;
      });
      return this.#draining;
    }
    // The one that runs may have read the folder before the last files came.
    this.#next ??= this.#draining
      .catch(() => null)
      .then(() => {
        this.#next = null;
        return this.drain();
      });
    return this.#next;
  }

  /** Whether something waits that the last look did not leave where it is, or the folder cannot be read. */
  hasNew(): boolean {
    try {
      return this.#files.waiting().some((name) => !this.#left.has(name));
    } catch {
      return false;
    }
  }

  /** Stops looking; what is being recorded comes to its end. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#watcher?.close();
    if (this.#poll) clearInterval(this.#poll);
    if (this.#gathering) clearTimeout(this.#gathering);
    await Promise.allSettled([this.#draining, this.#next]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #gather(): void {
    if (this.#closed) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = null;
      this.#take();
    }, GATHER).unref();
  }

  /** What waited for an adapter that is here now. */
  #release(): void {
    const { agents } = this.options;
    const nothing = { payload: new Uint8Array(), name: '', at: 0 };
    try {
      if (agents) this.#files.release((client) => agents.eventsOf({ client, ...nothing }) !== null);
    } catch {
      // It waits on.
    }
  }

  /** What fails waits for the next look. */
  #take(): void {
    if (!this.#closed) this.drain().catch(() => undefined);
  }

  async #drain(): Promise<Drained> {
    const {
      home,
      ingest,
      agents,
      onPayload,
      takes = () => true,
      surroundings = processSurroundings(),
    } = this.options;
    const heard = new Map<string, number[]>();
    const look = new Look({
      files: this.#files,
      roots: new EventRoots({ home, surroundings }),
      declined: this.#declined,
      ingest,
      agents,
      onPayload: (payload) => {
        const times = heard.get(payload.client) ?? [];
        times.push(payload.at);
        heard.set(payload.client, times);
        onPayload?.(payload);
      },
      takes,
      tries: this.#tries,
    });
    await look.through(() => this.#closed);
    try {
      const spare = look.drained.aside + look.drained.held > 0 ? this.#files.pushOut() : 0;
      for (let count = 0; count < spare; count++) this.#declined.count('pushed-out');
      this.#declined.save();
      noteClients(home, heard);
    } catch (thrown) {
      look.drained.failure = toCodewalkError(thrown);
    }
    this.#left = look.left;
    return look.drained;
  }
}
