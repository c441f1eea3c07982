import type { StepsContext } from '../../../runtime/index.js';
import { File, fileId } from '../../../schema/index.js';
import {
  changedPlaces,
  type DiscoveredFile,
  type ExtractionPool,
  type FileFacts,
  interfaceOf,
  type LookupKey,
} from '../../../source/index.js';
import { commitConcepts, type HistoryWritten } from '../history/commit-concepts.js';
import { type FileNews, type FileProblem, newsOf, suspects } from './changed-files.js';
import { digestOf } from './code-graph.js';
import { type FilePart, filePart, type IndexedFile } from './file-part.js';
import type { FileState } from './file-state.js';
import { graphChanges } from './graph-changes.js';
import { GraphWriter } from './graph-writer.js';
import { IndexStore } from './index-store.js';
import type { ProjectIndex } from './project-index.js';
import { type Resolved, resolveFiles } from './resolve-files.js';
import type { Scope } from './scope.js';
import { writtenPart } from './written-part.js';

/** Extracts that are kept with one commit. */
const FILES_PER_COMMIT = 64;
/** A run that writes no more links than this is one commit: whole, or not there at all. */
const LINKS_OF_ONE_COMMIT = 10_000;
/** Touched files are kept as such from this many on: fewer are read again sooner than they are written. */
const TOUCHED_TO_KEEP = 32;

/** What a run did. */
export interface RunResult {
  /** Paths that were extracted, or read anew. */
  readonly changed: ReadonlySet<string>;
  readonly removed: readonly string[];
  /** How many files were resolved. */
  readonly resolved: number;
  /** Concepts that commits name, new or another than before. */
  readonly commitConcepts: number;
}

/** One file's part, and whether the graph has it already. */
interface NewPart {
  readonly indexed: IndexedFile;
  readonly part: FilePart;
  readonly digest: string;
}

/** What other files can see has changed, since they were last resolved. */
interface Seen {
  readonly keys: ReadonlySet<LookupKey> | 'everything';
  /** Files that came or went. */
  readonly moved: ReadonlySet<string>;
  /** Files whose module has another name. */
  readonly renamed: readonly string[];
}

/**
 * One run of the indexer over a scope: extracts what changed, resolves whoever that can matter to, and writes what is
 * then another than it was. A small run is one commit. A large one goes in steps under the mark "incomplete"; before
 * the first step that changes the graph, the digests of the parts that it is about to change are struck out, so that
 * the next run finds what is missing wherever this one ends.
 */
export class IndexRun {
  readonly #context: StepsContext;
  readonly #index: ProjectIndex;
  readonly #pool: ExtractionPool;
  readonly #problems: FileProblem[];
  readonly #store: IndexStore;
  /** This run's, if it writes. */
  readonly #generation: number;
  /** Whether no run ever wrote here. */
  readonly #fresh: boolean;
  /** Whether what is stored may be half written. */
  readonly #mending: boolean;
  readonly #changed = new Set<string>();
  readonly #touched = new Set<string>();
  readonly #lost: string[] = [];
  /** Digests of the parts that the graph holds, of files whose state no longer says so. */
  readonly #held = new Map<string, string>();
  #announced = false;

  /** @param problems gets what goes wrong with single files. */
  constructor(context: StepsContext, index: ProjectIndex, pool: ExtractionPool, problems: FileProblem[]) {
    this.#context = context;
    this.#index = index;
    this.#pool = pool;
    this.#problems = problems;
    this.#store = new IndexStore(context);
    this.#generation = (index.mark?.generation ?? 0) + 1;
    this.#fresh = index.mark === undefined;
    this.#mending = !this.#fresh && (index.damaged || index.mark?.complete !== true);
  }

  /** @param full Whether every file of the scope is extracted again. */
  async update(scope: Scope, full: boolean): Promise<RunResult> {
    const index = this.#index;
    const looked = suspects(scope.files, { states: index.states, full });
    if (this.#fresh) await this.#announce(looked);
    await this.#extract(looked, full);
    const removed = [...scope.absent, ...this.#lost.filter((path) => index.states.has(path))];
    const projectChanged = JSON.stringify(scope.project) !== JSON.stringify(index.project);
    const unsettled = [...index.states].filter(([, { part }]) => part === null).map(([path]) => path);
    const isNothing = unsettled.length + removed.length === 0 && !projectChanged;
    if (isNothing && !this.#fresh && !this.#mending) {
      await this.#rememberTouched();
      const history = await commitConcepts(this.#context, []);
      if (history.wrote) await this.#context.commit();
      return { changed: this.#changed, removed, resolved: 0, commitConcepts: history.concepts };
    }
    const seen = await this.#see(unsettled, removed, scope);
    const dirty = this.#dirty(unsettled, seen);
    const parts = await this.#resolve(dirty);
    const { concepts } = await this.#write(parts, { removed, seen, projectChanged });
    return { changed: this.#changed, removed, resolved: dirty.length, commitConcepts: concepts };
  }

  /** Tells, before anything is written, that the graph is incomplete from now on. */
  async #announce(files: readonly DiscoveredFile[]): Promise<void> {
    this.#announced = true;
    this.#putMark({ complete: false, pending: files.length });
    // Whoever asks about a file in the meantime hears that it is to come.
    if (this.#fresh)
      await this.#context.createAll(
        files.map(({ path, language }) =>
          File({ path, name: path.slice(path.lastIndexOf('/') + 1), language }, { id: fileId(path) }),
        ),
      );
    await this.#context.commit();
  }

  /** Reads and extracts what may have changed, and keeps the facts beside the graph. */
  async #extract(files: readonly DiscoveredFile[], full: boolean): Promise<void> {
    const { states } = this.#index;
    const reading = { context: this.#context, states, pool: this.#pool, full, problems: this.#problems };
    let done = 0;
    for await (const news of newsOf(files, reading)) {
      if (!this.#announced && news.kind === 'changed' && files.length > FILES_PER_COMMIT)
        await this.#announce(files);
      this.#context.progress({ phase: 'extract', done: done++, total: files.length, item: news.path });
      this.#take(news);
      if (this.#announced && done % FILES_PER_COMMIT === 0) await this.#context.commit();
    }
    if (this.#announced) await this.#context.commit();
  }

  #take(news: FileNews): void {
    const { path } = news;
    const before = this.#index.states.get(path);
    if (news.kind === 'lost') this.#lost.push(path);
    else if (news.kind === 'touched') {
      this.#touched.add(path);
      if (before) this.#index.set(path, { ...before, stamp: news.stamp, mtime_ms: news.mtime_ms });
    } else {
      const { offers = null, written = null } = before ?? {};
      if (before?.part) this.#held.set(path, before.part);
      this.#changed.add(path);
      const state = { ...news.state, offers, part: null, written };
      this.#index.set(path, state);
      this.#store.putState(path, state);
      this.#store.putFacts(path, news.bytes);
      if (news.facts) this.#index.facts.put(path, news.facts, news.bytes?.length ?? 0);
      else this.#index.facts.drop(path);
    }
  }

  /** Takes what files offer now into the index, and tells what of it is another than others were resolved against. */
  async #see(unsettled: readonly string[], removed: readonly string[], scope: Scope): Promise<Seen> {
    const index = this.#index;
    const places = index.places();
    const modules = index.modules();
    const keys = new Set<LookupKey>();
    const moved = new Set(removed);
    await index.facts.load(
      this.#context,
      unsettled.filter((path) => index.states.get(path)?.extracted),
    );
    for (const path of unsettled) {
      const state = index.states.get(path);
      if (!state) continue;
      const facts = index.facts.get(path)?.facts;
      const offers = facts ? interfaceOf(facts) : '';
      // Facts that cannot be read are extracted again by the next run.
      const hash = state.extracted && !facts ? '' : state.hash;
      if (offers !== state.offers) keys.add(`file:${path}`);
      if (state.offers === null) moved.add(path);
      index.set(path, { ...state, hash, offers });
    }
    for (const path of removed) {
      keys.add(`file:${path}`);
      index.set(path, undefined);
      index.facts.drop(path);
    }
    index.setProject(scope.project);
    const renamed: string[] = [];
    if (index.modules() !== modules)
      for (const [path, module] of index.modules())
        if (index.states.get(path)?.written?.module !== module) renamed.push(path);
    if (index.places() === places) return { keys, moved, renamed };
    const changed = changedPlaces(places, index.places());
    if (changed === 'everything') return { keys: changed, moved, renamed };
    return { keys: new Set([...keys, ...changed]), moved, renamed };
  }

  /** Files whose part of the graph may have to be another than it is, in path order. */
  #dirty(unsettled: readonly string[], { keys, renamed }: Seen): string[] {
    const { states } = this.#index;
    if (keys === 'everything' || this.#index.damaged) return [...states.keys()].sort();
    const dirty = new Set([...unsettled, ...renamed]);
    for (const key of keys) for (const path of this.#index.dependentsOf(key)) dirty.add(path);
    return [...dirty].filter((path) => states.has(path)).sort();
  }

  async #resolve(dirty: readonly string[]): Promise<Map<string, Resolved<NewPart>>> {
    const { states, facts } = this.#index;
    const modules = this.#index.modules();
    const times = { indexed_at: new Date(this.#context.now()).toISOString() };
    return resolveFiles(
      dirty,
      {
        context: this.#context,
        places: this.#index.places(),
        facts,
        hasFacts: (path) => states.get(path)?.extracted ?? false,
        lookedBefore: (path) => states.get(path)?.written?.looked ?? [],
      },
      (path, resolution, factsOf) => {
        const indexed = indexedFile(path, states.get(path), modules.get(path) ?? '', factsOf(path) ?? null);
        const part = filePart(indexed, resolution, factsOf, times);
        return { indexed, part, digest: digestOf(part) };
      },
    );
  }

  async #write(
    parts: ReadonlyMap<string, Resolved<NewPart>>,
    { removed, seen, projectChanged }: { removed: readonly string[]; seen: Seen; projectChanged: boolean },
  ): Promise<HistoryWritten> {
    const files = new Map<string, FilePart>();
    for (const [path, { value, looked }] of parts) {
      const { indexed, part, digest } = value;
      const state = this.#index.states.get(path);
      if (!state) continue;
      const held = state.part ?? this.#held.get(path);
      if (held !== digest || this.#index.damaged) files.set(path, part);
      this.#index.set(path, { ...state, part: digest, written: writtenPart(indexed, part, looked) });
    }
    const inSteps = this.#fresh || this.#mending || this.#announced || isLarge(files);
    if (inSteps) await this.#strikeOut(parts.keys(), files, removed);
    const changes = await graphChanges(this.#context, this.#index, {
      files,
      moved: seen.moved,
      renamed: seen.renamed,
      removed: [...removed, ...this.#lost],
      projectChanged,
      whole: this.#fresh || this.#mending,
    });
    await new GraphWriter(this.#context, { fresh: this.#fresh, inSteps }).write(changes);
    const history = await commitConcepts(this.#context, files.keys());
    for (const path of [...parts.keys(), ...this.#touched])
      this.#store.putState(path, this.#index.states.get(path));
    for (const path of removed) this.#store.forget(path);
    this.#putMark({ complete: true, pending: 0 });
    this.#store.putProject(this.#index.project);
    await this.#context.commit();
    return history;
  }

  /** The last step before the graph changes: from here on the store says which files are not written. */
  async #strikeOut(
    resolved: Iterable<string>,
    files: ReadonlyMap<string, FilePart>,
    removed: readonly string[],
  ): Promise<void> {
    for (const path of resolved) {
      const state = this.#index.states.get(path);
      this.#store.putState(path, state && files.has(path) ? { ...state, part: null } : state);
    }
    for (const path of removed) this.#store.forget(path);
    this.#store.putProject(this.#index.project);
    this.#putMark({ complete: false, pending: files.size });
    await this.#context.commit();
  }

  #putMark(progress: { readonly complete: boolean; readonly pending: number }): void {
    const mark = { generation: this.#generation, ...progress };
    this.#store.putMark(mark);
    this.#index.mark = mark;
  }

  async #rememberTouched(): Promise<void> {
    if (this.#touched.size < TOUCHED_TO_KEEP) return;
    for (const path of this.#touched) this.#store.putState(path, this.#index.states.get(path));
    await this.#context.commit();
  }
}

function indexedFile(
  path: string,
  state: FileState | undefined,
  module: string,
  facts: FileFacts | null,
): IndexedFile {
  const { size = 0, mtime_ms = 0, language = '', hash = '' } = state ?? {};
  return { file: { path, size, mtimeMs: mtime_ms, language }, hash, facts, module };
}

function isLarge(files: ReadonlyMap<string, FilePart>): boolean {
  let links = 0;
  for (const part of files.values()) links += part.links.length;
  return links > LINKS_OF_ONE_COMMIT;
}
