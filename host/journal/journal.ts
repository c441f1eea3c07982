import { type FSWatcher, mkdirSync, watch } from 'node:fs';
import { LIMITS, toCodewalkError } from '../../schema/index.js';
import { processSurroundings, type Surroundings } from '../surroundings.js';
import { JournalCounters } from './counters.js';
import { eventRoot, type RootVerdict } from './event-root.js';
import { JournalFiles } from './files.js';
import { type Drained, Look, type LookOptions } from './look.js';

/** How a journal is read. Without `agents` the payloads of clients' hooks stay where they are. */
export interface JournalOptions extends Pick<LookOptions, 'ingest' | 'agents' | 'onPayload' | 'takes'> {
  /** The graphs home; absolute. */
  readonly home: string;
  /** Default: those of this process. */
  readonly surroundings?: Surroundings;
}

/** Milliseconds in which a hook that has recorded its event comes to ask: then both are one pass. */
const GATHER = 250;

/**
 * Reads what recorders put into the journal of a home and passes it on, root by root, in batches. A file is removed when
 * its event is recorded, and not before; what cannot be recorded is set aside and counted. However often it is stopped,
 * at any point: nothing is lost, and what is passed on twice counts once, by its id.
 */
export class Journal implements AsyncDisposable {
  readonly counters: JournalCounters;
  readonly #files: JournalFiles;
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
    this.counters = new JournalCounters(options.home);
  }

  /** Takes in what is there, and from now on what comes: the system says so, and a look every two seconds. */
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

  /** Whether something waits that the last look did not leave where it is. False where the folder cannot be read. */
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

  /** Lets wait again what waited for an adapter that is here now. */
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
    const { home, surroundings = processSurroundings() } = this.options;
    const verdicts = new Map<string, RootVerdict>();
    const look = new Look({
      ...this.options,
      files: this.#files,
      counters: this.counters,
      tries: this.#tries,
      rootOf: (label) => {
        const key = `${label.place} ${label.path}`;
        const verdict = verdicts.get(key) ?? eventRoot(label, { home, surroundings });
        verdicts.set(key, verdict);
        return verdict;
      },
    });
    await look.through(() => this.#closed);
    try {
      const spare = look.drained.aside + look.drained.held > 0 ? this.#files.pushOut() : 0;
      if (spare > 0) this.counters.declined('pushed-out', spare);
      this.counters.save();
    } catch (thrown) {
      look.drained.failure = toCodewalkError(thrown);
    }
    this.#left = look.left;
    return look.drained;
  }
}
