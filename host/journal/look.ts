import { setImmediate as nextTurn } from 'node:timers/promises';
import { CodewalkError, type ErrorCode, LIMITS, toCodewalkError } from '../../schema/index.js';
import { withoutTexts } from '../../source/index.js';
import { type IngestOutcome, withinEventTime } from '../../walkers/index.js';
import type { Agents, RecordedPayload } from '../agents.js';
import type { DeclinedCounts } from './declined-counts.js';
import type { EventRoots } from './event-root.js';
import type { JournalFiles } from './journal-files.js';
import { type JournalEvent, type ReadEntry, readEntry } from './read-entry.js';

/**
 * Records events of one root: all of them are on disk when it answers, with what became of each. What it throws recorded
 * none, or nobody knows: they are sent again.
 */
export type Ingest = (root: string, events: readonly JournalEvent[]) => Promise<readonly IngestOutcome[]>;

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

/** A client's payload that the journal took in. */
export interface HeardPayload {
  readonly root: string;
  readonly client: string;
  /** Milliseconds since 1970 at which it was recorded. */
  readonly at: number;
}

/** What a look works with. */
export interface LookOptions {
  readonly files: JournalFiles;
  readonly roots: EventRoots;
  readonly declined: DeclinedCounts;
  readonly ingest: Ingest;
  readonly agents: Agents | undefined;
  readonly onPayload: (heard: HeardPayload) => void;
  readonly takes: (root: string) => boolean;
  /** How often a file was tried by itself, by name; kept from look to look. */
  readonly tries: Map<string, number>;
}

/** One file, and the events that it tells. */
interface Entry {
  readonly name: string;
  readonly events: readonly JournalEvent[];
}

/** Files of one root that are recorded together. */
interface Batch {
  readonly root: string;
  readonly entries: Entry[];
  events: number;
  bytes: number;
}

/** What an event is guilty of by itself, or the walker that met it: trying others beside it shows which one it is. */
const POISON: ReadonlySet<ErrorCode> = new Set([
  'INVALID_INPUT',
  'INTERNAL',
  'WALKER_FAILED',
  'WALKER_KILLED',
]);

/** Milliseconds of reading after which the thread serves others. */
const STRETCH = 20;

/** One look through the journal, from the oldest file to the newest. */
export class Look {
  readonly drained: Drained = { recorded: 0, known: 0, aside: 0, held: 0, declined: 0, failure: null };
  /** Files that stay where they are, for the next look. */
  readonly left = new Set<string>();
  /** Roots whose events cannot be recorded now. */
  readonly #failed = new Set<string>();
  /** What is recorded next; of each root the last one still grows. */
  #batches: Batch[] = [];
  #writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: LookOptions) {}

  /** Takes in all that waits, until it is told to stop. */
  async through(isOver: () => boolean): Promise<void> {
    let since = performance.now();
    for (const name of this.options.files.waiting()) {
      if (isOver()) {
        this.drained.failure = new CodewalkError(
          'STORE_CLOSED',
          'the journal was closed while events waited',
        );
        break;
      }
      // One that cannot be taken is in nobody's way.
      const isFull = this.#attempt(name, () => this.#read(name));
      if (isFull) await this.#flush();
      if (performance.now() - since < STRETCH) continue;
      await nextTurn();
      since = performance.now();
    }
    await this.#flush();
    await this.#writing;
  }

  /** Does something with a file; where that fails it stays for the next look. */
  #attempt<T>(name: string, act: () => T): T | null {
    try {
      return act();
    } catch (thrown) {
      this.left.add(name);
      this.drained.failure = toCodewalkError(thrown);
      return null;
    }
  }

  /** While one group is recorded the next one is read. */
  async #flush(): Promise<void> {
    await this.#writing;
    const batches = this.#batches;
    this.#batches = [];
    this.#writing = Promise.all(
      batches.map(async (batch) => {
        try {
          await this.#ingest(batch);
        } catch (thrown) {
          this.#failed.add(batch.root);
          this.drained.failure = toCodewalkError(thrown);
          for (const { name } of batch.entries) this.left.add(name);
        }
      }),
    );
  }

  /** Reads one file into its root's batch. Whether that is full now. */
  #read(name: string): boolean {
    const { files, roots, declined, takes } = this.options;
    const read = readEntry(files.folders.fresh, name);
    if (read.kind === 'vanished') return false;
    const verdict = read.kind === 'aside' ? read.reason : roots.of(read.label);
    if (read.kind === 'aside' || typeof verdict === 'string') {
      files.quarantine(name, read.kind === 'aside' ? read.reason : 'root-gone');
      this.drained.aside++;
      return false;
    }
    if ('declined' in verdict) {
      files.remove(name);
      declined.count(verdict.declined);
      this.drained.declined++;
      return false;
    }
    const { root } = verdict;
    if (this.#failed.has(root) || !takes(root)) {
      this.left.add(name);
      return false;
    }
    const events = this.#eventsOf(name, read, root);
    return events !== null && this.#add(root, { name, events }, read.bytes);
  }

  /** The events of a file; null where it has none, and is not in the way any more. */
  #eventsOf(
    name: string,
    read: Extract<ReadEntry, { kind: 'event' | 'payload' }>,
    root: string,
  ): readonly JournalEvent[] | null {
    if (read.kind === 'event') return [read.event];
    const { agents, files, onPayload } = this.options;
    if (agents === undefined) {
      this.left.add(name);
      return null;
    }
    const events = eventsWithin(agents, read.recorded);
    if (events === 'failed') {
      files.quarantine(name, events);
      this.drained.aside++;
      return null;
    }
    if (events === null) {
      files.hold(name, read.recorded.client);
      this.drained.held++;
      return null;
    }
    onPayload({ root, client: read.recorded.client, at: read.recorded.at });
    if (events.length > 0) return events.slice(0, LIMITS.journalBatch.max);
    files.remove(name);
    return null;
  }

  #add(root: string, entry: Entry, bytes: number): boolean {
    const { max } = LIMITS.journalBatch;
    let batch = this.#batches.findLast((one) => one.root === root);
    if (batch === undefined || batch.events + entry.events.length > max) {
      batch = { root, entries: [], events: 0, bytes: 0 };
      this.#batches.push(batch);
    }
    batch.entries.push(entry);
    batch.events += entry.events.length;
    batch.bytes += bytes;
    return batch.events >= max || batch.bytes >= LIMITS.journalBatchBytes.max;
  }

  async #ingest(batch: Batch): Promise<void> {
    const { ingest, files } = this.options;
    let outcomes: readonly IngestOutcome[];
    try {
      outcomes = await ingest(
        batch.root,
        batch.entries.flatMap(({ events }) => events),
      );
    } catch (thrown) {
      const error = toCodewalkError(thrown);
      if (!POISON.has(error.code)) throw error;
      return this.#ingestApart(batch, error);
    }
    let at = 0;
    for (const { name, events } of batch.entries) {
      const its = outcomes.slice(at, at + events.length);
      at += events.length;
      if (its.length < events.length) throw new CodewalkError('INTERNAL', `no outcome of ${name}`);
      this.#attempt(name, () => {
        const isRefused = its.every(({ outcome }) => outcome === 'refused');
        if (isRefused) files.quarantine(name, 'refused');
        else files.remove(name);
        if (isRefused) this.drained.aside++;
        else for (const { outcome } of its) if (outcome !== 'refused') this.drained[outcome]++;
      });
    }
  }

  /** Halves of a batch that brought down what recorded it, until it is known which file does; that one is tried again. */
  async #ingestApart(batch: Batch, error: CodewalkError): Promise<void> {
    const { tries, files } = this.options;
    const { root, entries } = batch;
    const [{ name } = { name: '' }] = entries;
    if (entries.length === 1) {
      const tried = (tries.get(name) ?? 0) + 1;
      tries.set(name, tried);
      if (tried < LIMITS.journalTries.max) return this.#ingest(batch);
      tries.delete(name);
      const isRecorded = await this.#ingestBare(batch);
      if (!isRecorded) this.drained.failure = error;
      this.#attempt(name, () => {
        files.quarantine(name, 'failed');
        this.drained.aside++;
      });
      return;
    }
    const middle = Math.ceil(entries.length / 2);
    for (const half of [entries.slice(0, middle), entries.slice(middle)])
      await this.#ingest({ root, entries: half, events: 0, bytes: 0 });
  }

  /** Records the events of a file without their texts, since these cannot be recorded. Whether any was recorded. */
  async #ingestBare({ root, entries }: Batch): Promise<boolean> {
    const bare = entries.flatMap(({ events }) =>
      events.map((event) => ({ ...event, payload: withoutTexts(event.payload) })),
    );
    const outcomes = await this.options.ingest(root, bare).catch(() => []);
    for (const { outcome } of outcomes) if (outcome !== 'refused') this.drained[outcome]++;
    return outcomes.some(({ outcome }) => outcome !== 'refused');
  }
}

/**
 * The events of a payload. When reading it takes too long: those of the payload without its texts; `failed` when that
 * takes too long as well.
 */
function eventsWithin(agents: Agents, recorded: RecordedPayload): ReturnType<Agents['eventsOf']> | 'failed' {
  const told = withinEventTime(() => agents.eventsOf(recorded));
  if (told) return told.done;
  try {
    const bare = withoutTexts(JSON.parse(Buffer.from(recorded.payload).toString()));
    const payload = Buffer.from(JSON.stringify(bare));
    return withinEventTime(() => agents.eventsOf({ ...recorded, payload }))?.done ?? 'failed';
  } catch {
    return 'failed';
  }
}
