import { type FSWatcher, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { z } from 'zod';
import { CodewalkError, type ErrorCode, grouped, LIMITS, toCodewalkError } from '../../schema/index.js';
import { checkRoot, platformOf, withoutTexts } from '../../source/index.js';
import { type IngestOutcome, withinEventTime } from '../../walkers/index.js';
import type { Agents } from '../agents.js';
import { settingsFor } from '../config.js';
import { ageOf } from '../files.js';
import type { Host, SpawnRequest } from '../host.js';
import { isRecorded, projectRootOf } from '../project-root.js';
import { homesOf, processSurroundings, type Surroundings } from '../surroundings.js';
import { isMissing, namesIn, pushOut, setAside } from './aside.js';
import { JournalCounters } from './counters.js';
import {
  type EntryLabel,
  type JournalEvent,
  journalFolders,
  parseEntry,
  type RecordedPayload,
  timeInName,
} from './entry.js';

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
  /** Knows the payloads of clients' hooks. Default: these stay where they are. */
  readonly agents?: Agents | undefined;
  /** Called with the root of each payload of a client, before its events are recorded. */
  readonly onPayload?: (root: string) => void;
  /** Whether the events of a root are taken in; those of others stay where they are. Default: all are. */
  readonly takes?: (root: string) => boolean;
  /** Default: those of this process. */
  readonly surroundings?: Surroundings;
}

/** The result of one pass through the journal. */
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

/** Milliseconds in which a hook that has recorded its event comes to ask: then both are one pass. */
const GATHER_MS = 250;
/** Milliseconds after which a half-written file is abandoned: as Maildir has it, 36 hours. */
const ABANDONED_MS = 36 * 3600 * 1000;

/**
 * Reads what recorders put into the journal of a home and passes it on, root by root, in batches. A file is removed when
 * its event is recorded, and not before; what cannot be recorded is set aside and counted. However often it is stopped,
 * at any point: nothing is lost, and what is passed on twice counts once, by its id.
 */
export class Journal implements AsyncDisposable {
  readonly counters: JournalCounters;
  readonly #folders: ReturnType<typeof journalFolders>;
  /** How often a file was tried by itself, by name. */
  readonly #tries = new Map<string, number>();
  /** What the last whole pass could not take in. */
  #left: ReadonlySet<string> = new Set();
  #draining: Promise<unknown> = Promise.resolve();
  #next: Promise<Drained> | null = null;
  #watcher: FSWatcher | null = null;
  #poll: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(private readonly options: JournalOptions) {
    this.#folders = journalFolders(options.home);
    this.counters = new JournalCounters(options.home);
  }

  /** Takes in what is there, and from now on what comes: the system says so, and a look every two seconds. */
  watch(): void {
    const { fresh, tmp } = this.#folders;
    for (const folder of [fresh, tmp]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const file of namesIn(tmp).map((name) => join(tmp, name)))
      if (ageOf(file) > ABANDONED_MS) rmSync(file, { force: true });
    this.#releaseHeld();
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
    // The pass that runs may have read the folder before the last files came.
    this.#next ??= this.#draining.then(() => {
      this.#next = null;
      const pass = this.#pass();
      this.#draining = pass.catch(() => undefined);
      return pass;
    });
    return this.#next;
  }

  /** Whether something waits that the last pass did not leave where it is. False where the folder cannot be read. */
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
    clearInterval(this.#poll);
    clearTimeout(this.#gathering);
    await Promise.allSettled([this.#next, this.#draining]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #gather(): void {
    if (this.#closed) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#take();
    }, GATHER_MS).unref();
  }

  /** What fails waits for the next pass. */
  #take(): void {
    if (!this.#closed) this.drain().catch(() => undefined);
  }

  /** Lets wait again what waited for an adapter that is here now. */
  #releaseHeld(): void {
    const { agents } = this.options;
    const { held, fresh } = this.#folders;
    const nothing = { payload: new Uint8Array(), name: '', at: 0 };
    try {
      for (const client of namesIn(held)) {
        if (!agents?.eventsOf({ client, ...nothing })) continue;
        for (const name of namesIn(join(held, client)))
          renameSync(join(held, client, name), join(fresh, name));
        rmSync(join(held, client), { recursive: true, force: true });
      }
    } catch {
      // It waits on.
    }
  }

  async #pass(): Promise<Drained> {
    const pass = new Pass(this.options, this.counters, this.#tries);
    await pass.run(() => this.#closed);
    const { drained } = pass;
    const { quarantine, held } = this.#folders;
    try {
      const spare = drained.aside + drained.held > 0 ? pushOut(quarantine) + pushOut(held) : 0;
      if (spare > 0) this.counters.declined('pushed-out', spare);
      this.counters.save();
    } catch (thrown) {
      drained.failure = toCodewalkError(thrown);
    }
    this.#left = pass.left;
    return drained;
  }
}

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
const STRETCH_MS = 20;

/** One pass through the journal, from the oldest file to the newest. */
class Pass {
  readonly drained: Drained = { recorded: 0, known: 0, aside: 0, held: 0, declined: 0, failure: null };
  /** Files that stay where they are, for the next pass. */
  readonly left = new Set<string>();
  readonly #folders: ReturnType<typeof journalFolders>;
  readonly #verdicts = new Map<string, RootVerdict>();
  /** Roots whose events cannot be recorded now. */
  readonly #failed = new Set<string>();
  /** What was read and is not recorded yet, and how much that is. */
  readonly #read: Entry[] = [];
  #events = 0;
  #bytes = 0;

  constructor(
    private readonly options: JournalOptions,
    private readonly counters: JournalCounters,
    private readonly tries: Map<string, number>,
  ) {
    this.#folders = journalFolders(options.home);
  }

  /** Takes in all that waits, until it is over. While one group is recorded the next one is read. */
  async run(isOver: () => boolean): Promise<void> {
    let recording: Promise<unknown> = Promise.resolve();
    let since = performance.now();
    const flush = async () => {
      await recording;
      recording = this.#record(this.#read.splice(0));
      this.#events = 0;
      this.#bytes = 0;
    };
    for (const name of namesIn(this.#folders.fresh)) {
      if (isOver()) {
        this.drained.failure = new CodewalkError(
          'STORE_CLOSED',
          'the journal was closed while events waited',
        );
        break;
      }
      // A file that cannot be taken in blocks no other.
      this.#attempt(name, () => this.#take(name));
      if (this.#events >= LIMITS.journalBatch.max || this.#bytes >= LIMITS.journalBatchBytes.max)
        await flush();
      if (performance.now() - since < STRETCH_MS) continue;
      await nextTurn();
      since = performance.now();
    }
    await flush();
    await recording;
  }

  /** Does something with a file; where that fails it stays for the next pass. */
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
    const { options, counters, drained } = this;
    const read = this.#readOf(name);
    if (read === 'left') this.left.add(name);
    else if (typeof read === 'string') {
      if (read !== 'vanished') this.#setAside(name, read);
    } else if ('declined' in read) {
      this.#remove(name);
      counters.declined(read.declined);
      drained.declined++;
    } else if (read.events === null) {
      setAside(join(this.#folders.fresh, name), join(this.#folders.held, read.client ?? ''), name);
      drained.held++;
    } else {
      const { client, at, root, events, payload } = read;
      if (client !== null) {
        counters.payload(client, at);
        options.onPayload?.(root);
      }
      if (events.length === 0) this.#remove(name);
      else this.#read.push({ name, root, events: events.slice(0, LIMITS.journalBatch.max) });
      this.#events += events.length;
      this.#bytes += payload.length;
    }
  }

  /** One file with its root and events, or why it has none; `left`: it waits for the next pass. */
  #readOf(name: string) {
    const { takes, agents } = this.options;
    const entry = readEntry(this.#folders.fresh, name);
    if (typeof entry === 'string') return entry;
    const { client } = entry;
    // What is no event is set aside wherever it belongs.
    const own = client === null ? eventIn(entry) : null;
    if (own === 'not-json') return own;
    const verdict = this.#verdictOf(entry);
    if (typeof verdict === 'string' || 'declined' in verdict) return verdict;
    const { root } = verdict;
    if (this.#failed.has(root) || takes?.(root) === false) return 'left';
    if (client !== null && agents === undefined) return 'left';
    const events = client === null ? own : eventsWithin(agents, { ...entry, client });
    return typeof events === 'string' ? events : { ...entry, root, events };
  }

  #verdictOf(label: EntryLabel): RootVerdict {
    const { home, surroundings = processSurroundings() } = this.options;
    const key = `${label.place} ${label.path}`;
    const verdict = this.#verdicts.get(key) ?? eventRoot(label, home, surroundings);
    this.#verdicts.set(key, verdict);
    return verdict;
  }

  #remove(name: string): void {
    rmSync(join(this.#folders.fresh, name), { force: true });
  }

  #setAside(name: string, reason: string): void {
    setAside(join(this.#folders.fresh, name), join(this.#folders.quarantine, reason), name);
    this.drained.aside++;
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
    const sent = entries.flatMap(({ events }) => events);
    const outcomes = await this.options.ingest(root, sent).catch((thrown) => toCodewalkError(thrown));
    if (outcomes instanceof CodewalkError) {
      if (!POISON.has(outcomes.code)) throw outcomes;
      return this.#ingestApart(root, entries, outcomes);
    }
    if (outcomes.length < sent.length) throw new CodewalkError('INTERNAL', `events without an outcome`);
    let at = 0;
    for (const { name, events } of entries) {
      const own = outcomes.slice(at, at + events.length);
      at += events.length;
      this.#attempt(name, () => {
        if (own.every(({ outcome }) => outcome === 'refused')) this.#setAside(name, 'refused');
        else this.#remove(name);
        this.#count(own);
      });
    }
  }

  #count(outcomes: readonly IngestOutcome[]): void {
    for (const { outcome } of outcomes) if (outcome !== 'refused') this.drained[outcome]++;
  }

  /** Halves what could not be recorded until it is known which file is to blame; that one is tried again. */
  async #ingestApart(root: string, entries: readonly Entry[], error: CodewalkError): Promise<void> {
    const [first] = entries;
    if (first === undefined || entries.length > 1) {
      const middle = Math.ceil(entries.length / 2);
      await this.#ingest(root, entries.slice(0, middle));
      return this.#ingest(root, entries.slice(middle));
    }
    const { name, events } = first;
    const tried = (this.tries.get(name) ?? 0) + 1;
    this.tries.set(name, tried);
    if (tried < LIMITS.journalTries.max) return this.#ingest(root, entries);
    this.tries.delete(name);
    // Since its texts cannot be recorded, the rest of it is.
    const bare = events.map((event) => ({ ...event, payload: withoutTexts(event.payload) }));
    const outcomes = await this.options.ingest(root, bare).catch(() => []);
    this.#count(outcomes);
    if (outcomes.every(({ outcome }) => outcome === 'refused')) this.drained.failure = error;
    this.#attempt(name, () => this.#setAside(name, 'failed'));
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

/** A file of the journal as it was read. */
type ReadEntry = EntryLabel & Pick<RecordedPayload, 'name' | 'at'> & { readonly payload: Buffer };

/** Milliseconds after its second within which a file was written whose name has no nanoseconds. */
const SECOND_MS = 2000;

/** Reads one file of the journal, or says why it is set aside; `vanished`: another process took it meanwhile. */
function readEntry(
  folder: string,
  name: string,
): ReadEntry | 'vanished' | 'not-ours' | 'too-large' | 'empty' | 'truncated' | 'other-version' {
  const file = join(folder, name);
  try {
    // A link is none of ours, wherever it leads.
    const status = lstatSync(file);
    const time = timeInName(name);
    if (time === null || !status.isFile()) return 'not-ours';
    if (status.size > LIMITS.journalFile.max) return 'too-large';
    const entry = parseEntry(readFileSync(file));
    if (typeof entry === 'string') return entry;
    const isRefined = time.coarse && status.mtimeMs >= time.at && status.mtimeMs < time.at + SECOND_MS;
    return { ...entry, name, at: isRefined ? status.mtimeMs : time.at };
  } catch (thrown) {
    if (isMissing(thrown)) return 'vanished';
    throw thrown;
  }
}

/** The event of a payload that is one, with an id and a time. */
function eventIn({ payload, name, at }: ReadEntry): [JournalEvent] | 'not-json' {
  let reported: unknown;
  try {
    // Bounded in depth: what takes it in may go through it by calls.
    reported = withoutTexts(JSON.parse(payload.toString('utf8')), () => false);
  } catch {
    return 'not-json';
  }
  if (typeof reported !== 'object' || reported === null || Array.isArray(reported)) return 'not-json';
  const { event_id: id }: { readonly event_id?: unknown } = reported;
  const event_id = typeof id === 'number' || (typeof id === 'string' && id !== '') ? String(id) : name;
  return [{ ...reported, event_id, at }];
}

/**
 * The events of a client's payload; null where no adapter knows the client. When reading it takes too long: those of the
 * payload without its texts; `failed` when that takes too long as well.
 */
function eventsWithin(
  agents: Agents | undefined,
  recorded: RecordedPayload,
): readonly JournalEvent[] | null | 'failed' {
  const events = (payload: Uint8Array) =>
    withinEventTime(() => agents?.eventsOf({ ...recorded, payload }) ?? null);
  const read = events(recorded.payload);
  if (read) return read.done;
  try {
    const bare = withoutTexts(JSON.parse(Buffer.from(recorded.payload).toString()));
    return events(Buffer.from(JSON.stringify(bare)))?.done ?? 'failed';
  } catch {
    return 'failed';
  }
}

/**
 * The root that events belong to, or why they are not recorded. `ineligible`: neither a work tree of git nor a folder with
 * a manifest, and nobody indexed it (C-02); `root-refused`: a whole disk or a home directory (P-05); `paused`: by the user.
 * What is `root-gone` is recorded when it is back in `new/` and the root is there again.
 */
export type RootVerdict =
  | { readonly root: string }
  | { readonly declined: 'ineligible' | 'root-refused' | 'paused' }
  | 'root-gone';

/** Decides where events belong, by what their labels say. @param home The graphs home; absolute. */
export function eventRoot(
  { place, path }: Pick<EntryLabel, 'place' | 'path'>,
  home: string,
  surroundings: Surroundings,
): RootVerdict {
  const options = { home, surroundings };
  let root: string;
  try {
    root = checkRoot(place === 'root' ? path : projectRootOf(path, options), {
      mustBeAbsolute: true,
      platform: platformOf(),
      home: surroundings.userHome,
      cwd: surroundings.cwd,
    });
  } catch (thrown) {
    if (!(thrown instanceof CodewalkError)) throw thrown;
    return thrown.code === 'ROOT_REFUSED' ? { declined: 'root-refused' } : 'root-gone';
  }
  if (settingsFor(root, options).paused) return { declined: 'paused' };
  return isRecorded(root, options) ? { root } : { declined: 'ineligible' };
}

const IngestBody = z.object({
  outcomes: z.array(
    z.object({ outcome: z.enum(['recorded', 'known', 'refused']), why: z.string().exactOptional() }),
  ),
  text: z.string().nullable(),
});

/** Has a host record what hooks reported, and answer one of them: one walker, one commit that waits for the disk. */
export async function passOn(
  host: Pick<Host, 'spawn'>,
  to: Pick<SpawnRequest, 'root' | 'limits'>,
  input: SpawnRequest['input'],
): Promise<z.infer<typeof IngestBody>> {
  return IngestBody.parse((await host.spawn({ walker: 'trace_ingest', ...to, input })).body);
}

/** Records batches on a host. */
export function ingestOn(host: Pick<Host, 'spawn'>): Ingest {
  return async (root, events) => (await passOn(host, { root }, { events })).outcomes;
}

/**
 * Takes in what waits in the journal of a home, where no daemon does.
 *
 * @param options.of A root: only its history's events are taken in. Default: all.
 * @throws CodewalkError when something could not be recorded: it waits on.
 */
export async function drainInto(
  host: Pick<Host, 'spawn'>,
  home: string,
  { of, agents }: { readonly of?: string | undefined; readonly agents?: Agents | undefined } = {},
): Promise<void> {
  const historyOf = (root: string) => homesOf(root, { home }).historyHash;
  const takes = (root: string) => of === undefined || historyOf(root) === historyOf(of);
  await using journal = new Journal({ home, ingest: ingestOn(host), takes, agents });
  const { failure } = await journal.drain();
  if (failure) throw failure;
}
