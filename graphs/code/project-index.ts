import type { Slot, StepsContext } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import {
  basesIn,
  createExtractionPool,
  createPlaces,
  type ExtractionPool,
  type FileFacts,
  factsFromBytes,
  type LookupKey,
  type MakeDocuments,
  type ModuleTable,
  moduleNames,
  moduleTable,
  type Places,
} from '../../source/index.js';
import { documentMaker } from './documents.js';
import type { IndexedFile } from './file-part.js';
import { directoriesOf, SharedNodes } from './graph-part.js';
import { Totals } from './index-output.js';
import { fillFromSibling } from './siblings.js';
import {
  type FileState,
  factsName,
  type IndexProgress,
  PROGRESS_MARK,
  type ProjectState,
  readProgress,
  readState,
  readTextMark,
  SEEN,
  STATES,
  storedProject,
  TEXT_MARK,
  TEXT_MARK_NOW,
  type TextMark,
} from './state.js';
import { throwIfOver } from './write.js';

/** Nothing was indexed yet. */
const NO_PROJECT: ProjectState = {
  manifests: [],
  include: [],
  exclude: [],
  max_file_bytes: LIMITS.fileBytes.default,
};

/**
 * What earlier runs stored of every file, in memory, with what follows from it. Updated by difference: a run that
 * changes one file changes what is about that file.
 */
export class ProjectIndex {
  /** The mark of the run that left all this; undefined when there was none. */
  mark: IndexProgress | undefined;
  project: ProjectState;
  /** What the text index was made by; undefined where it is not whole. */
  text: TextMark | undefined;
  /** Whether something of what was stored could not be read: then nothing that is stored is taken for granted. */
  readonly damaged: boolean;
  readonly facts = new FactsStore();
  /** Paths of files whose facts could not be read when a run needed them: it is not whole before they are extracted again. */
  readonly lost = new Set<string>();
  readonly shared = new SharedNodes();
  readonly totals = new Totals();
  readonly #states = new Map<string, FileState>();
  readonly #dependents = new Map<LookupKey, Set<string>>();
  #places: Places | null = null;
  #modules: ReadonlyMap<string, string> | null = null;
  #directories: ReadonlySet<string> | null = null;

  private constructor(
    mark: IndexProgress | undefined,
    project: ProjectState | undefined,
    text: TextMark | undefined,
    /** Paths whose states could not be read. */
    readonly unreadable: readonly string[],
    /** Whether all of it is another worktree's, and no run has looked at what stands here. */
    readonly isTaken: boolean,
  ) {
    this.mark = mark;
    this.text = unreadable.length > 0 ? undefined : text;
    this.project = project ?? NO_PROJECT;
    this.damaged = unreadable.length > 0 || (mark !== undefined && project === undefined);
  }

  /**
   * Reads it from the store: linear in the number of files, whose facts are not looked at.
   *
   * @param options.isTaken See {@link ProjectIndex.isTaken}.
   */
  static async load(
    context: Pick<StepsContext, 'blobs' | 'blobsUnder'>,
    { isTaken = false } = {},
  ): Promise<ProjectIndex> {
    const [mark, text] = await context.blobs([PROGRESS_MARK, TEXT_MARK]);
    const states: [string, FileState][] = [];
    const unreadable: string[] = [];
    const seen = new Map<string, Uint8Array>();
    // Of another worktree's files it says nothing about those here.
    if (!isTaken)
      for await (const page of context.blobsUnder(SEEN))
        for (const { name, value } of page) seen.set(name.slice(SEEN.length), value);
    for await (const page of context.blobsUnder(STATES))
      for (const { name, value } of page) {
        const path = name.slice(STATES.length);
        const state = readState(value, seen.get(path));
        if (state) states.push([path, state]);
        else unreadable.push(path);
      }
    const project = await storedProject(context);
    const index = new ProjectIndex(readProgress(mark), project, readTextMark(text), unreadable, isTaken);
    for (const [path, state] of states) index.set(path, state);
    index.shared.takeChanged();
    return index;
  }

  /** Whether the text index is what would be made now of the files that are known. */
  get hasTexts(): boolean {
    return this.text?.index === TEXT_MARK_NOW.index && this.text.words === TEXT_MARK_NOW.words;
  }

  /** Whether the last run finished, and nothing that it stored is missing or damaged. */
  get isWhole(): boolean {
    return this.mark?.complete === true && !this.damaged && this.hasTexts;
  }

  /** By path, in no order. */
  get states(): ReadonlyMap<string, FileState> {
    return this.#states;
  }

  /** Takes in a file's new state; undefined when it is gone. */
  set(path: string, state: FileState | undefined): void {
    const before = this.#states.get(path);
    if (before) this.#count(path, before, -1);
    if (state) this.#states.set(path, state);
    else this.#states.delete(path);
    if (state) this.#count(path, state, 1);
    const [old, now] = [before?.offers ?? null, state?.offers ?? null];
    if ((old === null) !== (now === null)) this.#forget();
    else if (basesIn(old ?? '') !== basesIn(now ?? '')) {
      this.#places = null;
      if (packageWord(old) !== packageWord(now)) this.#modules = null;
    }
  }

  /** Takes in what holds of the project as a whole. */
  setProject(project: ProjectState): void {
    if (JSON.stringify(project.manifests) !== JSON.stringify(this.project.manifests)) this.#forget();
    this.project = project;
  }

  /** Files whose resolution looked at something. */
  dependentsOf(key: LookupKey): Iterable<string> {
    return this.#dependents.get(key) ?? [];
  }

  /** What files were resolved in: those that are there and were there then. */
  places(): Places {
    this.#places ??= createPlaces(
      this.#present(),
      this.project.manifests,
      (path) => this.#states.get(path)?.offers ?? '',
    );
    return this.#places;
  }

  /** The qualified names of the modules of those files. */
  modules(): ReadonlyMap<string, string> {
    this.#modules ??= moduleNames(
      this.#present(),
      this.project.manifests,
      (path) => this.#states.get(path)?.offers ?? '',
    );
    return this.#modules;
  }

  /** The folders that hold those files. */
  directories(): ReadonlySet<string> {
    this.#directories ??= directoriesOf(this.#present());
    return this.#directories;
  }

  /** A file as its state has it, and what it is in the project; of one that is not known, next to nothing. */
  indexedFile(
    path: string,
    facts: FileFacts | null,
    module: string = this.modules().get(path) ?? '',
  ): IndexedFile {
    const { size = 0, mtime_ms = 0, language = '', hash = '', by = '' } = this.#states.get(path) ?? {};
    return { file: { path, size, mtimeMs: mtime_ms, language }, hash, by, facts, module };
  }

  #forget(): void {
    this.#places = null;
    this.#modules = null;
    this.#directories = null;
  }

  #present(): string[] {
    return [...this.#states].flatMap(([path, { offers }]) => (offers === null ? [] : [path]));
  }

  #count(path: string, state: FileState, sign: 1 | -1): void {
    this.totals.count(state, sign);
    if (!state.written) return;
    for (const key of state.written.looked) {
      const files = this.#dependents.get(key) ?? new Set();
      if (sign > 0) this.#dependents.set(key, files.add(path));
      else if (files.delete(path) && files.size === 0) this.#dependents.delete(key);
    }
    for (const node of state.written.shared) this.shared.count(node, sign);
  }
}

/** What an interface says of the package that the file is in; empty where it says nothing. */
function packageWord(offers: string | null): string {
  return / [dp]:\S*/.exec(offers ?? '')?.[0] ?? '';
}

/** The facts of one file. */
interface KnownFacts {
  readonly bytes: Uint8Array;
  /** Null until it is asked for. */
  table: ModuleTable | null;
}

/** The facts of files as tables for looking names up: those that a run needs, loaded when it needs them. */
class FactsStore {
  readonly #known = new Map<string, KnownFacts>();
  #bytes = 0;

  get(path: string): ModuleTable | undefined {
    const known = this.#known.get(path);
    if (!known) return undefined;
    known.table ??= moduleTable(factsFromBytes(known.bytes));
    return known.table;
  }

  /** Takes in facts that were just extracted, by their bytes. */
  put(path: string, bytes: Uint8Array): void {
    this.#keep(path, { bytes, table: null });
  }

  drop(path: string): void {
    const known = this.#known.get(path);
    if (!known) return;
    this.#known.delete(path);
    this.#bytes -= known.bytes.length;
  }

  /** Loads what is not there yet. The paths of those whose facts are missing from the store, or not readable. */
  async load({ blobs }: Pick<StepsContext, 'blobs'>, paths: Iterable<string>): Promise<string[]> {
    const missing = [...new Set(paths)].filter((path) => !this.#known.has(path));
    const found = missing.length === 0 ? [] : await blobs(missing.map(factsName));
    return missing.filter((path, at) => {
      const bytes = found[at];
      const facts = readFacts(bytes);
      if (bytes && facts) this.#keep(path, { bytes, table: moduleTable(facts) });
      return !facts;
    });
  }

  #keep(path: string, known: KnownFacts): void {
    this.drop(path);
    this.#known.set(path, known);
    this.#bytes += known.bytes.length;
  }

  /**
   * Releases the oldest beyond what may stay.
   *
   * @param most Bytes, as facts are stored. Default: what may stay between two runs.
   */
  trim(most: number = LIMITS.keptFacts.max): void {
    for (const path of this.#known.keys()) {
      if (this.#bytes <= most) return;
      this.drop(path);
    }
  }
}

/** Facts from their bytes; null where there are none, or they are not readable. */
export function readFacts(bytes: Uint8Array | undefined): FileFacts | null {
  try {
    return bytes ? factsFromBytes(bytes) : null;
  } catch {
    return null;
  }
}

/** Built next to this file: it makes what {@link IndexSession.documentsOf} makes. */
const WORKER = new URL('./indexing.worker.js', import.meta.url);

/** Where the session of an open graph is cached. */
export const INDEX_SESSION: Slot<IndexSession> = {
  name: 'index session',
  make: () => new IndexSession(),
  free: (session) => session.pool.close(),
};

/**
 * What indexing caches in memory while a graph is open: what it knows of the files, and a parser that is warm. Index
 * runs of one graph take turns.
 */
export class IndexSession {
  readonly documentsOf: MakeDocuments = documentMaker();
  readonly pool: ExtractionPool = createExtractionPool({ documentsOf: this.documentsOf, worker: WORKER });
  /**
   * More files than `asAWhole` are resolved and written in pieces of `atOnce`, of which all that is known is in memory:
   * fewer take less time as a whole.
   */
  pieces = { asAWhole: 1000, atOnce: 400 };
  #index: ProjectIndex | null = null;
  #last: Promise<unknown> = Promise.resolve();

  /**
   * Does the work of one run when no other run is at work. What the index is then like is cached only when the work
   * comes to its end: otherwise the next run reads it from the store.
   *
   * @param options.fills Whether it is a run that indexes: what another worktree has need not be made again then.
   * @throws CodewalkError `CANCELLED` or `DEADLINE`, also while it waits.
   */
  async alone<T>(
    context: StepsContext,
    work: (index: ProjectIndex) => Promise<T>,
    { fills = false } = {},
  ): Promise<T> {
    const before = this.#last;
    let done: () => void = () => undefined;
    this.#last = new Promise<void>((resolve) => {
      done = resolve;
    });
    try {
      await untilOver(before, context.signal);
      throwIfOver(context);
      // What was read before the turn came is of another version.
      await context.commit();
      const known = await this.#current(context);
      const isTaken = fills && known.mark === undefined && (await fillFromSibling(context));
      const index = isTaken ? await ProjectIndex.load(context, { isTaken }) : known;
      this.#index = null;
      const result = await work(index);
      index.facts.trim();
      // What was damaged is right in the store now.
      this.#index = index.damaged ? null : index;
      return result;
    } finally {
      // A run that gave up waiting must not let the next one in before the one that is at work has ended.
      void before.finally(done);
    }
  }

  async #current(context: StepsContext): Promise<ProjectIndex> {
    const known = this.#index;
    const [mark] = await context.blobs([PROGRESS_MARK]);
    const stored = readProgress(mark);
    const isSame = known?.mark?.generation === stored?.generation && stored?.complete === true;
    return known && isSame ? known : ProjectIndex.load(context);
  }
}

/** Waits for something, or until the signal aborts. */
async function untilOver(something: Promise<unknown>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let stop: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => {
    stop = resolve;
    signal.addEventListener('abort', stop);
  });
  await Promise.race([something, aborted]);
  signal.removeEventListener('abort', stop);
}
