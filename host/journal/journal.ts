import { type FSWatcher, lstatSync, mkdirSync, rmSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';
import { CodewalkError, type ErrorCode, LIMITS, toCodewalkError } from '../../schema/index.js';
import type { IngestOutcome } from '../../walkers/index.js';
import { processSurroundings, type Surroundings } from '../surroundings.js';
import { declinedOf } from './counts.js';
import type { DeclinedCounts } from './declined-counts.js';
import { EventRoots } from './event-root.js';
import { type JournalFolders, journalFolders } from './folders.js';
import { type JournalEvent, readEntry } from './read-entry.js';
import { namesIn, setAside } from './set-aside.js';

/**
 * Records events of one root: all of them are on disk when it answers, with what became of each. What it throws recorded
 * none, or nobody knows: they are sent again.
 */
export type Ingest = (root: string, events: readonly JournalEvent[]) => Promise<readonly IngestOutcome[]>;

/** How a journal is read. */
export interface JournalOptions {
  /** The graphs home; absolute. */
  readonly home: string;
  readonly ingest: Ingest;
  /** Whether the events of a root are taken in; those of others stay where they are. Default: all are. */
  readonly takes?: (root: string) => boolean;
  /** Default: those of this process. */
  readonly surroundings?: Surroundings;
}

/** What one look through the journal came to. */
export interface Drained {
  /** Events that are recorded now, and those that were already. */
  recorded: number;
  known: number;
  /** Files that were set aside, that wait for an adapter, and that were removed by rule. */
  aside: number;
  held: number;
  declined: number;
  /** Why events still wait; null: none does. */
  failure: CodewalkError | null;
}

/** Files of one root that are recorded together. */
interface Batch {
  readonly root: string;
  readonly names: string[];
  readonly events: JournalEvent[];
  bytes: number;
}

/** One look through the journal. */
interface Look {
  readonly drained: Drained;
  /** Files that stay where they are, for the next look. */
  readonly left: Set<string>;
  /** Roots whose events cannot be recorded now. */
  readonly failed: Set<string>;
}

function leave(name: string, thrown: unknown, { drained, left }: Look): void {
  left.add(name);
  drained.failure = toCodewalkError(thrown);
}

/** What an event is guilty of by itself, or the walker that met it: trying others beside it shows which one it is. */
const POISON: ReadonlySet<ErrorCode> = new Set([
  'INVALID_INPUT',
  'INTERNAL',
  'WALKER_FAILED',
  'WALKER_KILLED',
]);
/** Milliseconds after which a half-written file is nobody's: as Maildir has it, 36 hours. */
const ABANDONED = 36 * 3600 * 1000;
/** Milliseconds in which more is expected when something came. */
const GATHER = 20;

/**
 * Reads what recorders put into the journal of a home and hands it on, root by root, in batches. A file is removed when
 * its event is recorded, and not before; what cannot be recorded is set aside and counted. However often it is stopped,
 * at any point: nothing is lost, and what is handed on twice counts once, by its id.
 */
export class Journal implements AsyncDisposable {
  readonly #options: JournalOptions;
  readonly #folders: JournalFolders;
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

  constructor(options: JournalOptions) {
    this.#options = options;
    this.#folders = journalFolders(options.home);
    this.#declined = declinedOf(options.home);
  }

  /** Takes in what is there, and from now on what comes: told by the system, and by a look every two seconds. */
  watch(): void {
    mkdirSync(this.#folders.fresh, { recursive: true, mode: 0o700 });
    mkdirSync(this.#folders.tmp, { recursive: true, mode: 0o700 });
    this.#sweep();
    this.#poll = setInterval(() => this.#take(), LIMITS.journalPoll.default).unref();
    try {
      this.#watcher = watch(this.#folders.fresh, { persistent: false }, () => this.#gather());
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
      return namesIn(this.#folders.fresh).some((name) => !this.#left.has(name));
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

  /** What fails waits for the next look. */
  #take(): void {
    if (!this.#closed) this.drain().catch(() => undefined);
  }

  async #drain(): Promise<Drained> {
    const drained: Drained = { recorded: 0, known: 0, aside: 0, held: 0, declined: 0, failure: null };
    const left = new Set<string>();
    const look: Look = { drained, left, failed: new Set() };
    const roots = new EventRoots({
      home: this.#options.home,
      surroundings: this.#options.surroundings ?? processSurroundings(),
    });
    let writing: Promise<unknown> = Promise.resolve();
    let batches = new Map<string, Batch>();
    for (const name of namesIn(this.#folders.fresh)) {
      if (this.#closed) {
        drained.failure = new CodewalkError('STORE_CLOSED', 'the journal was closed while events waited');
        break;
      }
      const batch = this.#readInto(batches, name, roots, look);
      if (
        !batch ||
        (batch.names.length < LIMITS.journalBatch.max && batch.bytes < LIMITS.journalBatchBytes.max)
      )
        continue;
      // While one group is recorded the next one is read.
      await writing;
      writing = this.#ingestAll([...batches.values()], look);
      batches = new Map();
    }
    await writing;
    await this.#ingestAll([...batches.values()], look);
    try {
      this.#declined.save();
    } catch (thrown) {
      drained.failure = toCodewalkError(thrown);
    }
    this.#left = left;
    return drained;
  }

  /** Reads one file into its root's batch; null where it is in none. One that cannot be taken is in nobody's way. */
  #readInto(batches: Map<string, Batch>, name: string, roots: EventRoots, look: Look): Batch | null {
    try {
      return this.#read(batches, name, roots, look);
    } catch (thrown) {
      leave(name, thrown, look);
      return null;
    }
  }

  #read(batches: Map<string, Batch>, name: string, roots: EventRoots, look: Look): Batch | null {
    const { drained, failed, left } = look;
    const { fresh, held, quarantine } = this.#folders;
    const read = readEntry(fresh, name);
    if (read.kind === 'vanished') return null;
    if (read.kind === 'client') {
      this.#move(name, join(held, read.client));
      drained.held++;
      return null;
    }
    const verdict = read.kind === 'event' ? roots.of(read.label) : read.reason;
    if (read.kind === 'aside' || typeof verdict === 'string') {
      this.#move(name, join(quarantine, String(verdict)));
      drained.aside++;
      return null;
    }
    if ('declined' in verdict) {
      this.#remove(name);
      this.#declined.count(verdict.declined);
      drained.declined++;
      return null;
    }
    const { root } = verdict;
    if (failed.has(root) || this.#options.takes?.(root) === false) {
      left.add(name);
      return null;
    }
    const batch = batches.get(root) ?? { root, names: [], events: [], bytes: 0 };
    batches.set(root, batch);
    batch.names.push(name);
    batch.events.push(read.event);
    batch.bytes += read.bytes;
    return batch;
  }

  async #ingestAll(batches: readonly Batch[], look: Look): Promise<void> {
    await Promise.all(
      batches.map(async (batch) => {
        try {
          await this.#ingest(batch, look);
        } catch (thrown) {
          look.failed.add(batch.root);
          for (const name of batch.names) leave(name, thrown, look);
        }
      }),
    );
  }

  async #ingest(batch: Batch, look: Look): Promise<void> {
    let outcomes: readonly IngestOutcome[];
    try {
      outcomes = await this.#options.ingest(batch.root, batch.events);
    } catch (thrown) {
      const error = toCodewalkError(thrown);
      if (!POISON.has(error.code)) throw error;
      return this.#ingestApart(batch, error, look);
    }
    for (const [at, name] of batch.names.entries()) {
      const outcome = outcomes[at]?.outcome;
      if (outcome === undefined) throw new CodewalkError('INTERNAL', `no outcome of ${name}`);
      try {
        if (outcome === 'refused') this.#move(name, join(this.#folders.quarantine, 'refused'));
        else this.#remove(name);
        look.drained[outcome === 'refused' ? 'aside' : outcome]++;
      } catch (thrown) {
        leave(name, thrown, look);
      }
    }
  }

  /** Halves of a batch that brought down what recorded it, until it is known which event does; that one is tried again. */
  async #ingestApart(batch: Batch, error: CodewalkError, look: Look): Promise<void> {
    const [name = ''] = batch.names;
    if (batch.names.length === 1) {
      const tries = (this.#tries.get(name) ?? 0) + 1;
      this.#tries.set(name, tries);
      if (tries < LIMITS.journalTries.max) return this.#ingest(batch, look);
      this.#tries.delete(name);
      look.drained.failure = error;
      try {
        this.#move(name, join(this.#folders.quarantine, 'failed'));
        look.drained.aside++;
      } catch (thrown) {
        leave(name, thrown, look);
      }
      return;
    }
    const middle = Math.ceil(batch.names.length / 2);
    for (const [from, to] of [
      [0, middle],
      [middle, batch.names.length],
    ] as const) {
      const [names, events] = [batch.names.slice(from, to), batch.events.slice(from, to)];
      await this.#ingest({ root: batch.root, names, events, bytes: 0 }, look);
    }
  }

  /** @throws Error where the file is still there. */
  #move(name: string, folder: string): void {
    const file = join(this.#folders.fresh, name);
    try {
      setAside(file, folder, name);
    } catch (thrown) {
      if (lstatSync(file, { throwIfNoEntry: false })) throw thrown;
    }
  }

  #remove(name: string): void {
    rmSync(join(this.#folders.fresh, name), { force: true });
  }

  /** What was never finished was never acknowledged. */
  #sweep(): void {
    for (const name of namesIn(this.#folders.tmp)) {
      const file = join(this.#folders.tmp, name);
      const written = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
      if (Date.now() - written > ABANDONED) rmSync(file, { force: true });
    }
  }
}
