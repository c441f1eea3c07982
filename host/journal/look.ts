import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { CodewalkError, type ErrorCode, grouped, LIMITS, toCodewalkError } from '../../schema/index.js';
import { withoutTexts } from '../../source/index.js';
import { type IngestOutcome, withinEventTime } from '../../walkers/index.js';
import type { Agents } from '../agents.js';
import type { JournalCounters } from './counters.js';
import { type EntryLabel, type JournalEvent, parseEntry, type RecordedPayload, timeInName } from './entry.js';
import type { RootVerdict } from './event-root.js';
import { type AsideReason, isMissing, type JournalFiles } from './files.js';

/**
 * Records events of one root: all of them are on disk when it answers, with what became of each. What it throws recorded
 * none, or nobody knows: they are sent again.
 */
export type Ingest = (root: string, events: readonly JournalEvent[]) => Promise<readonly IngestOutcome[]>;

/** The result of one look through the journal. */
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

/** What a look works with. */
export interface LookOptions {
  readonly files: JournalFiles;
  readonly counters: JournalCounters;
  readonly rootOf: (label: EntryLabel) => RootVerdict;
  readonly ingest: Ingest;
  readonly agents?: Agents;
  /** Called with the root of each payload of a client, before its events are recorded. */
  readonly onPayload?: (root: string) => void;
  /** Whether the events of a root are taken in; those of others stay where they are. Default: all are. */
  readonly takes?: (root: string) => boolean;
  /** How often a file was tried by itself, by name; stays from look to look. */
  readonly tries: Map<string, number>;
}

/** What a file of the journal holds: an event, the payload of a client's hook, or nothing that can be recorded. */
type ReadEntry =
  | { readonly label: EntryLabel; readonly bytes: number; readonly event: JournalEvent }
  | { readonly label: EntryLabel; readonly recorded: RecordedPayload }
  | { readonly aside: AsideReason }
  /** Another process took it meanwhile. */
  | 'vanished';

/** One file, and its events. */
interface Entry {
  readonly name: string;
  readonly root: string;
  readonly events: readonly JournalEvent[];
}

/** Errors that may be due to one event alone: trying the others without it shows which one it is. */
const POISON: ReadonlySet<ErrorCode> = new Set([
  'INVALID_INPUT',
  'INTERNAL',
  'WALKER_FAILED',
  'WALKER_KILLED',
]);

/** Milliseconds of reading after which the thread serves others. */
const STRETCH = 20;
/** Milliseconds after its second within which a file was written whose name has no nanoseconds. */
const SECOND = 2000;

/** One look through the journal, from the oldest file to the newest. */
export class Look {
  readonly drained: Drained = { recorded: 0, known: 0, aside: 0, held: 0, declined: 0, failure: null };
  /** Files that stay where they are, for the next look. */
  readonly left = new Set<string>();
  /** Roots whose events cannot be recorded now. */
  readonly #failed = new Set<string>();
  /** What was read and is not recorded yet, and how much that is. */
  readonly #read: Entry[] = [];
  #events = 0;
  #bytes = 0;

  constructor(private readonly options: LookOptions) {}

  /** Takes in all that waits, until it is told to stop. While one group is recorded the next one is read. */
  async through(isOver: () => boolean): Promise<void> {
    let recording: Promise<unknown> = Promise.resolve();
    let since = performance.now();
    const flush = async () => {
      await recording;
      recording = this.#record(this.#read.splice(0));
      this.#events = 0;
      this.#bytes = 0;
    };
    for (const name of this.options.files.waiting()) {
      if (isOver()) {
        const why = 'the journal was closed while events waited';
        this.drained.failure = new CodewalkError('STORE_CLOSED', why);
        break;
      }
      // A file that cannot be taken in blocks no other.
      this.#attempt(name, () => this.#take(name));
      if (this.#events >= LIMITS.journalBatch.max || this.#bytes >= LIMITS.journalBatchBytes.max)
        await flush();
      if (performance.now() - since < STRETCH) continue;
      await nextTurn();
      since = performance.now();
    }
    await flush();
    await recording;
  }

  /** Does something with a file; where that fails it stays for the next look. */
  #attempt(name: string, act: () => void): void {
    try {
      act();
    } catch (thrown) {
      this.#fail([name], thrown);
    }
  }

  #fail(names: readonly string[], thrown: unknown): void {
    for (const name of names) this.left.add(name);
    this.drained.failure = toCodewalkError(thrown);
  }

  /** Reads one file. What has no events, or none that may be recorded, is moved out of the way. */
  #take(name: string): void {
    const { files, rootOf, counters, takes = () => true } = this.options;
    const read = readEntry(files.folders.fresh, name);
    if (read === 'vanished') return;
    if ('aside' in read) {
      this.#setAside(name, read.aside);
      return;
    }
    const verdict = rootOf(read.label);
    if (verdict === 'root-gone') this.#setAside(name, verdict);
    else if ('declined' in verdict) {
      files.remove(name);
      counters.declined(verdict.declined);
      this.drained.declined++;
    } else if (this.#failed.has(verdict.root) || !takes(verdict.root)) this.left.add(name);
    else if ('event' in read) this.#add({ name, root: verdict.root, events: [read.event] }, read.bytes);
    else this.#takePayload(read.recorded, verdict.root);
  }

  #takePayload(recorded: RecordedPayload, root: string): void {
    const { files, counters, agents, onPayload } = this.options;
    const { name, client, at, payload } = recorded;
    if (agents === undefined) {
      this.left.add(name);
      return;
    }
    const events = eventsWithin(agents, recorded);
    if (events === 'failed') this.#setAside(name, 'failed');
    else if (events === null) {
      files.hold(name, client);
      this.drained.held++;
    } else {
      counters.payload(client, at);
      onPayload?.(root);
      if (events.length === 0) files.remove(name);
      else this.#add({ name, root, events: events.slice(0, LIMITS.journalBatch.max) }, payload.length);
    }
  }

  #setAside(name: string, reason: AsideReason): void {
    this.options.files.quarantine(name, reason);
    this.drained.aside++;
  }

  #add(entry: Entry, bytes: number): void {
    this.#read.push(entry);
    this.#events += entry.events.length;
    this.#bytes += bytes;
  }

  async #record(entries: readonly Entry[]): Promise<void> {
    await Promise.all(
      [...grouped(entries, ({ root }) => root)].map(async ([root, all]) => {
        for (const batch of batchesOf(all))
          try {
            await this.#ingest(root, batch);
          } catch (thrown) {
            this.#failed.add(root);
            this.#fail(
              batch.map(({ name }) => name),
              thrown,
            );
          }
      }),
    );
  }

  async #ingest(root: string, entries: readonly Entry[]): Promise<void> {
    const { ingest, files } = this.options;
    let outcomes: IngestOutcome[];
    try {
      outcomes = [
        ...(await ingest(
          root,
          entries.flatMap(({ events }) => events),
        )),
      ];
    } catch (thrown) {
      const error = toCodewalkError(thrown);
      if (!POISON.has(error.code)) throw error;
      return this.#ingestApart(root, entries, error);
    }
    for (const { name, events } of entries) {
      const own = outcomes.splice(0, events.length);
      if (own.length < events.length) throw new CodewalkError('INTERNAL', `no outcome of ${name}`);
      this.#attempt(name, () => {
        if (own.every(({ outcome }) => outcome === 'refused')) this.#setAside(name, 'refused');
        else files.remove(name);
        this.#count(own);
      });
    }
  }

  #count(outcomes: readonly IngestOutcome[]): void {
    for (const { outcome } of outcomes) if (outcome !== 'refused') this.drained[outcome]++;
  }

  /** Halves what could not be recorded until it is known which file is to blame; that one is tried again. */
  async #ingestApart(root: string, entries: readonly Entry[], error: CodewalkError): Promise<void> {
    const { tries, ingest } = this.options;
    const [first] = entries;
    if (first === undefined || entries.length > 1) {
      const middle = Math.ceil(entries.length / 2);
      await this.#ingest(root, entries.slice(0, middle));
      return this.#ingest(root, entries.slice(middle));
    }
    const { name, events } = first;
    const tried = (tries.get(name) ?? 0) + 1;
    tries.set(name, tried);
    if (tried < LIMITS.journalTries.max) return this.#ingest(root, entries);
    tries.delete(name);
    // Since its texts cannot be recorded, the rest of it is.
    const bare = events.map((event) => ({ ...event, payload: withoutTexts(event.payload) }));
    const outcomes = await ingest(root, bare).catch(() => []);
    this.#count(outcomes);
    if (outcomes.every(({ outcome }) => outcome === 'refused')) this.drained.failure = error;
    this.#attempt(name, () => this.#setAside(name, 'failed'));
  }
}

/** Reads one file of the journal. Whatever it holds is an answer; only the disk's own errors are thrown. */
function readEntry(folder: string, name: string): ReadEntry {
  const file = join(folder, name);
  try {
    // A link is none of ours, wherever it leads.
    const status = lstatSync(file);
    const time = timeInName(name);
    if (time === null || !status.isFile()) return { aside: 'not-ours' };
    if (status.size > LIMITS.journalFile.max) return { aside: 'too-large' };
    const entry = parseEntry(readFileSync(file));
    if (typeof entry === 'string') return { aside: entry };
    const { payload, ...label } = entry;
    const refined = time.coarse && status.mtimeMs >= time.at && status.mtimeMs < time.at + SECOND;
    const at = refined ? status.mtimeMs : time.at;
    const { client } = label;
    if (client !== null) return { label, recorded: { client, payload, name, at } };
    const reported = objectIn(payload);
    if (reported === null) return { aside: 'not-json' };
    const { event_id: id } = reported;
    const event_id = typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : name;
    return { label, bytes: status.size, event: { ...reported, event_id, at } };
  } catch (thrown) {
    if (isMissing(thrown)) return 'vanished';
    throw thrown;
  }
}

function objectIn(payload: Buffer): Record<string, unknown> | null {
  try {
    // Bounded in depth: what takes it in may go through it by calls.
    const value = withoutTexts(JSON.parse(payload.toString('utf8')), () => false);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/**
 * The events of a payload; null where no adapter knows its client. When reading it takes too long: those of the payload
 * without its texts; `failed` when that takes too long as well.
 */
function eventsWithin(agents: Agents, recorded: RecordedPayload): ReturnType<Agents['eventsOf']> | 'failed' {
  const read = withinEventTime(() => agents.eventsOf(recorded));
  if (read) return read.done;
  try {
    const bare = withoutTexts(JSON.parse(Buffer.from(recorded.payload).toString()));
    const payload = Buffer.from(JSON.stringify(bare));
    return withinEventTime(() => agents.eventsOf({ ...recorded, payload }))?.done ?? 'failed';
  } catch {
    return 'failed';
  }
}

/** Files of one root, in groups that are recorded together. */
function batchesOf(entries: readonly Entry[]): Entry[][] {
  const batches: Entry[][] = [];
  let room = 0;
  for (const entry of entries) {
    if (entry.events.length > room) {
      batches.push([]);
      room = LIMITS.journalBatch.max;
    }
    batches.at(-1)?.push(entry);
    room -= entry.events.length;
  }
  return batches;
}
