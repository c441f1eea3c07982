import type { CommitOptions, NodeDraft, StepsContext } from '../../runtime/index.js';
import { Directory, directoryId, File, fileId, LIMITS, parseId } from '../../schema/index.js';
import { type TextIndexWriter, writeIndex } from '../../search/index.js';
import {
  ANYTHING,
  changedImports,
  changedPlaces,
  type DiscoveredFile,
  interfaceOf,
  type LookupKey,
} from '../../source/index.js';
import { CODE_TEXT } from './documents.js';
import { basisOf, type FilePart, filePart, type IndexedFile, writtenPart } from './file-part.js';
import {
  directoriesOf,
  directoryParts,
  type GraphPart,
  isPackageFile,
  isSharedId,
  parentOf,
  projectPart,
  SHARED_TYPES,
  sharedDraft,
} from './graph-part.js';
import type { HistoryWritten } from './history/commit-concepts.js';
import { type AskedHistory, askHistory, readsCode, writeHistory } from './history/git-history.js';
import type { FileProblem } from './index-output.js';
import type { IndexSession, ProjectIndex } from './project-index.js';
import { type Resolved, resolveFiles } from './resolve-files.js';
import { type FileNews, newsOf, type Scope, suspects } from './scan.js';
import {
  COMPILER_EDGES,
  CompilerEdges,
  compilerEdgesName,
  withCompilerEdges,
} from './scip/compiler-edges.js';
import {
  type FileState,
  factsName,
  fromBytes,
  PROGRESS_MARK,
  PROJECT_STATE,
  seenBytes,
  seenName,
  stateBytes,
  stateName,
  TEXT_MARK,
  TEXT_MARK_NOW,
  toBytes,
  WRITTEN_MARK,
} from './state.js';
import { type GraphChanges, putFile, turn, writeGraph } from './write.js';

/** Bytes of facts, as they are stored, that stay in memory during a run over so many files. */
const FACTS_OF_A_WHOLE = 16 * 1024 * 1024;
/** Extracts that are stored with one commit. */
const FILES_PER_COMMIT = 64;
/** Files whose texts a first run writes at once: each batch writes the records of common words again. */
const TEXTS_AT_ONCE = 256;
/** Touched files are stored as such from this many on: fewer are read again sooner than they are written. */
const TOUCHED_TO_STORE = 32;

/** What a run came to. */
interface RunResult {
  /** Paths that were extracted, or read again. */
  readonly changed: ReadonlySet<string>;
  readonly removed: readonly string[];
  /** How many files were resolved. */
  readonly resolved: number;
  /** Concepts that commits name, new or another than before. */
  readonly commitConcepts: number;
}

/** What is another than it was when files were last resolved and written. */
interface Differences {
  /** What other files can see. */
  readonly keys: ReadonlySet<LookupKey> | 'everything';
  /** Files that came or went. */
  readonly moved: ReadonlySet<string>;
  /** Files whose module has another name. */
  readonly renamed: readonly string[];
  /** Files whose imports lead elsewhere, by what manifests say. */
  readonly led: readonly string[];
  readonly removed: readonly string[];
  readonly projectChanged: boolean;
}

/** A file as a run resolved it. */
interface MadePart {
  readonly indexed: IndexedFile;
  readonly basis: string;
  /** Null where the graph holds a part of this basis. */
  readonly part: FilePart | null;
}

/**
 * One run of the indexer over a scope: extracts what changed, resolves every file that this can matter to, and writes
 * what is then another than it was: a file's part as a whole. A small run is one commit. A large one goes in steps under
 * the mark "incomplete"; each brings some files with their states, so that the next run finds what is missing wherever
 * this one ends. What leads to a file that is still to come is not seen until then.
 */
export class IndexRun {
  /** This run's, if it writes. */
  readonly #generation: number;
  /** Whether no run ever wrote here. */
  readonly #fresh: boolean;
  /** Whether the graph is compared as a whole, also what no single file brings. */
  readonly #whole: boolean;
  /** Null where there is no text index to update: it is rebuilt when the run is over. */
  readonly #texts: TextIndexWriter<(typeof CODE_TEXT)['fields'][number]> | null;
  readonly #indexedAt: string;
  readonly #stateOf = (path: string) => this.index.states.get(path);
  readonly #changed = new Set<string>();
  readonly #touched = new Set<string>();
  readonly #lost: string[] = [];
  /** What files offer whose facts this run extracted. */
  readonly #offers = new Map<string, string>();
  #announced = false;
  /** Null until it is asked for. */
  #hasCompilerEdges: boolean | null = null;
  #mostFacts: number = LIMITS.keptFacts.max;

  /**
   * @param problems gets what goes wrong with single files.
   * @param full Whether all is extracted again and compared: what somebody else changed in the graph is set right.
   */
  constructor(
    private readonly context: StepsContext,
    private readonly index: ProjectIndex,
    private readonly made: Pick<IndexSession, 'pool' | 'documentsOf' | 'pieces'>,
    private readonly problems: FileProblem[],
    private readonly full: boolean,
  ) {
    this.#fresh = index.mark === undefined;
    this.#whole = full || this.#fresh || index.damaged || index.mark?.complete !== true;
    this.#generation = (index.mark?.generation ?? 0) + 1;
    this.#indexedAt = new Date(context.now()).toISOString();
    if (this.#fresh) index.text = TEXT_MARK_NOW;
    this.#texts = index.hasTexts ? writeIndex(context, CODE_TEXT) : null;
  }

  async update(scope: Scope): Promise<RunResult> {
    const { context, index, full } = this;
    const history = await askHistory(context);
    const files = suspects(scope.files, { states: index.states, full });
    if (this.#fresh) await this.#announce(files);
    await this.#extract(files);
    const removed = [...scope.absent, ...this.#lost.filter((path) => index.states.has(path))];
    const projectChanged = JSON.stringify(scope.project) !== JSON.stringify(index.project);
    const unsettled = [...index.states]
      .filter(([path, { part }]) => part === null || this.#changed.has(path))
      .map(([path]) => path);
    if (unsettled.length + removed.length === 0 && !projectChanged && !this.#whole) {
      if (this.#touched.size >= TOUCHED_TO_STORE) this.#putTouched();
      const { wrote, concepts } = await writeHistory(context, history, []);
      if (wrote || this.#touched.size >= TOUCHED_TO_STORE) await this.#commit();
      return { changed: this.#changed, removed, resolved: 0, commitConcepts: concepts };
    }
    const differences = {
      ...(await this.#takeOffers(scope, unsettled, removed)),
      removed,
      projectChanged,
    };
    const dirty = this.#dirtyFiles(unsettled, differences);
    const { concepts } =
      this.#fresh || dirty.length > this.made.pieces.asAWhole
        ? await this.#writeInPieces(dirty, differences, history)
        : await this.#writeWhole(dirty, differences, history);
    return { changed: this.#changed, removed, resolved: dirty.length, commitConcepts: concepts };
  }

  /** Says, before anything is written, that the graph is incomplete from now on. */
  async #announce(files: readonly DiscoveredFile[]): Promise<void> {
    this.#announced = true;
    this.#putMark(false, files.length);
    // An answer about a file in the meantime says that it is still to come.
    for (const { path, language } of this.#fresh ? files : []) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      putFile(this.context, path, {
        nodes: [File({ path, name, language }, { id: fileId(path) })],
        links: [],
      });
    }
    await this.#commit();
  }

  /** Reads and extracts what may have changed, and stores the facts alongside the graph. */
  async #extract(files: readonly DiscoveredFile[]): Promise<void> {
    const { context, index, full, problems } = this;
    const isWhole = files.length <= this.made.pieces.asAWhole;
    if (isWhole) this.#mostFacts = FACTS_OF_A_WHOLE;
    const store = () => this.#commit({ forget: !isWhole });
    let done = 0;
    for await (const news of newsOf(files, { context, states: index.states, ...this.made, full, problems })) {
      if (!this.#announced && news.kind === 'changed' && files.length > FILES_PER_COMMIT)
        await this.#announce(files);
      context.progress({ phase: 'extract', done: done++, total: files.length, item: news.path });
      this.#take(news);
      if (this.#announced && done % FILES_PER_COMMIT === 0) await store();
      await turn(context);
    }
    if (this.#announced) await store();
  }

  #take(news: FileNews): void {
    const { index, context } = this;
    const { path } = news;
    const before = index.states.get(path);
    if (news.kind === 'lost') this.#lost.push(path);
    else if (news.kind === 'touched') {
      this.#touched.add(path);
      if (before) index.set(path, { ...before, stamp: news.stamp, mtime_ms: news.mtime_ms });
    } else {
      const { state, facts, offers, documents } = news;
      this.#offers.set(path, offers);
      this.#changed.add(path);
      if (before && before.hash !== state.hash) context.putBlob(compilerEdgesName(path), undefined);
      index.lost.delete(path);
      // The graph still has the part of before: a file that fails again is not written again.
      const now = { ...state, offers: before?.offers ?? null, part: before?.part ?? null };
      index.set(path, { ...now, written: before?.written ?? null });
      this.#putState(path, { ...now, part: null, written: before?.written ?? null });
      context.putBlob(factsName(path), facts ?? undefined);
      this.#texts?.putGroup(path, documents);
      if (facts) index.facts.put(path, facts);
      else index.facts.drop(path);
      index.facts.trim(this.#mostFacts);
    }
  }

  /**
   * Takes what files offer now into the index.
   *
   * @param unsettled Files that were not resolved since they changed.
   * @returns What of it is another than others were resolved against.
   */
  async #takeOffers(
    { project }: Scope,
    unsettled: readonly string[],
    removed: readonly string[],
  ): Promise<Pick<Differences, 'keys' | 'moved' | 'renamed' | 'led'>> {
    const { context, index } = this;
    const places = index.places();
    const modules = index.modules();
    const keys = new Set<LookupKey>();
    const moved = new Set(removed);
    for (const path of unsettled) {
      const state = index.states.get(path);
      if (!state) continue;
      await turn(context);
      const offers = this.#offers.get(path) ?? (await this.#storedOffers(path));
      // Facts that cannot be read are extracted again by the next run.
      const hash = state.extracted && offers === '' ? '' : state.hash;
      if (offers !== state.offers) keys.add(`file:${path}`);
      if (state.offers === null) moved.add(path);
      index.set(path, { ...state, hash, offers });
    }
    for (const path of removed) {
      keys.add(`file:${path}`);
      index.set(path, undefined);
      index.facts.drop(path);
    }
    index.setProject(project);
    const renamed =
      index.modules() === modules
        ? []
        : [...index.modules()]
            .filter(([path, module]) => index.states.get(path)?.written?.module !== module)
            .map(([path]) => path);
    const now = index.places();
    const changed = now === places ? [] : changedPlaces(places, now);
    const named = [...index.states].map(([path, { written }]) => [path, written?.modules ?? null] as const);
    const led = now === places ? [] : changedImports(places, now, named);
    for (const path of led) keys.add(`file:${path}`);
    return { keys: changed === 'everything' ? changed : new Set([...keys, ...changed]), moved, renamed, led };
  }

  /** What a file offers whose facts an earlier run stored; empty when it has none that can be read. */
  async #storedOffers(path: string): Promise<string> {
    const { states, facts: store } = this.index;
    if (states.get(path)?.extracted)
      for (const one of await store.load(this.context, [path])) this.index.lost.add(one);
    const facts = store.get(path)?.facts;
    store.trim();
    return facts ? interfaceOf(facts) : '';
  }

  /** Files whose part of the graph may have to be another than it is, in path order. */
  #dirtyFiles(unsettled: readonly string[], { keys, renamed, led }: Differences): string[] {
    const { states, damaged } = this.index;
    if (keys === 'everything' || damaged) return [...states.keys()].sort();
    const dirty = new Set([...unsettled, ...renamed, ...led]);
    for (const key of keys.size > 0 ? ([...keys, ANYTHING] as const) : [])
      for (const path of this.index.dependentsOf(key)) dirty.add(path);
    return [...dirty].filter((path) => states.has(path)).sort();
  }

  /** @param progress how many files of how many were resolved before these. */
  async *#resolve(
    dirty: readonly string[],
    progress = { done: 0, total: dirty.length },
  ): AsyncGenerator<Map<string, Resolved<MadePart>>> {
    const { context, index } = this;
    const compilerEdges = await this.#compilerEdges(dirty);
    yield* resolveFiles(dirty, { context, index, progress }, (path, found, factsOf) => {
      const indexed = index.indexedFile(path, factsOf(path) ?? null);
      const edges = compilerEdges.get(path);
      const resolution =
        edges?.hash === indexed.hash ? withCompilerEdges(path, found, edges, factsOf) : found;
      const basis = basisOf(indexed, resolution, factsOf);
      const isTrusted = !this.full && !index.damaged;
      if (isTrusted && basis === index.states.get(path)?.part) return { indexed, basis, part: null };
      return { indexed, basis, part: filePart(indexed, resolution, factsOf, this.#indexedAt) };
    });
  }

  /** What compilers say of files, by path. */
  async #compilerEdges(paths: readonly string[]): Promise<ReadonlyMap<string, CompilerEdges>> {
    this.#hasCompilerEdges ??= await hasAny(this.context.blobsUnder(COMPILER_EDGES));
    const blobs = this.#hasCompilerEdges ? await this.context.blobs(paths.map(compilerEdgesName)) : [];
    return new Map(
      blobs.flatMap((bytes, at) => {
        const edges = fromBytes(bytes, CompilerEdges);
        return edges ? [[paths[at] ?? '', edges]] : [];
      }),
    );
  }

  /**
   * Writes the files of a first run, or more than fit into memory, as they are resolved, and in the end what they share.
   */
  async #writeInPieces(
    dirty: readonly string[],
    differences: Differences,
    history: AskedHistory,
  ): Promise<HistoryWritten> {
    const { context } = this;
    if (!this.#fresh) await this.#strikeOut(dirty, differences.removed);
    const written: string[] = [];
    for (const [at, paths] of this.#piecesOf(dirty)) {
      for await (const parts of this.#resolve(paths, { done: at, total: dirty.length })) {
        const files = await this.#settle(parts);
        for (const [path, part] of files) putFile(context, path, part);
        await this.#putStates(parts.keys(), this.#stateOf);
        await this.#commit();
        written.push(...files.keys());
      }
      if (paths.length < dirty.length) await this.#release();
    }
    await writeGraph(context, await this.#graphChanges(differences), this.#fresh);
    await this.#commit();
    return this.#finish([], written, differences.removed, history);
  }

  /** Paths in pieces, each with the number of those before it; few paths are one. */
  *#piecesOf(paths: readonly string[]): Generator<[at: number, piece: readonly string[]]> {
    const { asAWhole, atOnce } = this.made.pieces;
    const size = paths.length > asAWhole ? atOnce : asAWhole;
    for (let at = 0; at < paths.length; at += size) yield [at, paths.slice(at, at + size)];
  }

  /** Between two pieces: releases what they had in memory. */
  async #release(): Promise<void> {
    await this.#commit({ forget: true });
    this.index.facts.trim();
    await turn(this.context);
  }

  async #writeWhole(
    dirty: readonly string[],
    differences: Differences,
    history: AskedHistory,
  ): Promise<HistoryWritten> {
    const files = new Map<string, GraphPart>();
    for await (const parts of this.#resolve(dirty))
      for (const [path, part] of await this.#settle(parts)) files.set(path, part);
    for (const [path, part] of files) putFile(this.context, path, part);
    await writeGraph(this.context, await this.#graphChanges(differences), this.#fresh);
    // Commits are about symbols as they are stored.
    if (files.size > 0 && (await readsCode(this.context, history))) {
      await this.#putStates(dirty, this.#stateOf);
      this.#putMark(false, 0);
      await this.#commit();
    }
    return this.#finish(dirty, files.keys(), differences.removed, history);
  }

  /** Takes what was resolved into the index. Returns the parts that the graph does not have like that. */
  async #settle(parts: ReadonlyMap<string, Resolved<MadePart>>): Promise<Map<string, GraphPart>> {
    const files = new Map<string, GraphPart>();
    for (const [path, { value, looked, problem }] of parts) {
      const state = this.index.states.get(path);
      if (!state) continue;
      const { indexed, basis, part } = value;
      if (part) {
        const { own, links } = part;
        files.set(path, { nodes: own.nodes, links: [...own.links, ...links] });
      }
      const written = part
        ? writtenPart(indexed, part, looked, problem)
        : state.written && { ...state.written, looked: [...looked], problem };
      this.index.set(path, { ...state, part: basis, written });
      await turn(this.context);
    }
    return files;
  }

  /** What has to change in the graph, so that it is what the index says. */
  async #graphChanges({ moved, renamed, removed, projectChanged }: Differences): Promise<GraphChanges> {
    const { context, index } = this;
    const gone = [...removed, ...this.#lost];
    const folders = new Set([...foldersOf(moved), ...renamed.filter(isPackageFile).map(parentOf)]);
    const shared: string[] = [];
    if (this.#whole) {
      // A run that was cut off may have left what the index does not know.
      for (const path of index.directories()) folders.add(path);
      for (const id of await context.findIds(Directory)) folders.add(id.slice(directoryId('').length));
      shared.push(...index.shared.ids());
      for (const type of SHARED_TYPES) shared.push(...(await context.findIds(type)).filter(isSharedId));
      const paths = (await context.findIds(File)).map((id) => parseId(id)?.path ?? '');
      gone.push(...paths.filter((path) => !index.states.has(path)));
    }
    const others = directoryParts(index.modules(), folders);
    if (this.#whole || projectChanged) {
      const root = index.project.manifests.find(({ directory, name }) => directory === '' && name !== null);
      others.unshift(projectPart(root?.name ?? '', context.projectRoot));
    }
    const sharedChanges = this.#sharedChanges(shared);
    const goneFolders = [...folders].filter((path) => !index.directories().has(path)).map(directoryId);
    return {
      others,
      gone,
      ...sharedChanges,
      goneNodes: [...goneFolders, ...sharedChanges.goneNodes],
    };
  }

  /**
   * What has to change among the nodes that files share, since this was last asked.
   *
   * @param more Ids of others that may not be as they should.
   */
  #sharedChanges(more: readonly string[] = []): { shared: NodeDraft[]; goneNodes: string[] } {
    const { shared } = this.index;
    const ids = [...new Set([...shared.takeChanged(), ...more])].sort();
    return {
      shared: ids.flatMap((id) => {
        const node = shared.get(id);
        return node ? [sharedDraft(node)] : [];
      }),
      goneNodes: ids.filter((id) => shared.get(id) === null),
    };
  }

  /** The last commit. @param resolved whose states are not stored yet. */
  async #finish(
    resolved: Iterable<string>,
    written: Iterable<string>,
    removed: readonly string[],
    asked: AskedHistory,
  ): Promise<HistoryWritten> {
    const { states, unreadable, project } = this.index;
    const history = await writeHistory(this.context, asked, written);
    await this.#putStates([...resolved, ...this.#takeLost()], this.#stateOf);
    this.#putTouched();
    for (const path of [...removed, ...unreadable.filter((one) => !states.has(one))]) this.#forget(path);
    this.#putMark(this.index.lost.size === 0, 0);
    // Every file was written again, and what is of none was removed.
    if (this.full) this.context.putBlob(WRITTEN_MARK, undefined);
    this.context.putBlob(PROJECT_STATE, toBytes(project));
    await this.#texts?.flush();
    // Until now the text index of a first run lacked what waited: one that is cut off makes all of it again.
    if (this.#fresh) this.context.putBlob(TEXT_MARK, toBytes(TEXT_MARK_NOW));
    await this.#commit();
    return history;
  }

  /** Says of files whose facts are lost that they are to be extracted again, and who looked at them resolved again. */
  #takeLost(): Iterable<string> {
    const { lost, states } = this.index;
    for (const path of lost) {
      const state = states.get(path);
      if (state) this.index.set(path, { ...state, hash: '', offers: '', part: null });
      else lost.delete(path);
    }
    return lost;
  }

  /** The last step before the graph changes: from here on the store says which files are not written. */
  async #strikeOut(resolved: readonly string[], removed: readonly string[]): Promise<void> {
    await this.#putStates(resolved, (path) => {
      const state = this.#stateOf(path);
      return state && { ...state, part: null };
    });
    for (const path of removed) this.#forget(path);
    this.context.putBlob(PROJECT_STATE, toBytes(this.index.project));
    this.#putMark(false, resolved.length);
    await this.#commit();
  }

  #putMark(complete: boolean, pending: number): void {
    const mark = { generation: this.#generation, complete, pending };
    this.context.putBlob(PROGRESS_MARK, toBytes(mark));
    this.index.mark = mark;
  }

  #putState(path: string, state: FileState | undefined): void {
    this.context.putBlob(stateName(path), state && stateBytes(state));
    this.#putSeen(path, state);
  }

  #putSeen(path: string, state: FileState | undefined): void {
    this.context.putBlob(seenName(path), state && seenBytes(state));
  }

  #putTouched(): void {
    for (const path of this.#touched) this.#putSeen(path, this.#stateOf(path));
  }

  async #putStates(paths: Iterable<string>, stateOf: (path: string) => FileState | undefined): Promise<void> {
    for (const path of paths) {
      this.#putState(path, stateOf(path));
      await turn(this.context);
    }
  }

  /** Removes what is stored of a file alongside the graph. */
  #forget(path: string): void {
    this.#putState(path, undefined);
    this.context.putBlob(factsName(path), undefined);
    this.context.putBlob(compilerEdgesName(path), undefined);
    this.#texts?.removeGroup(path);
  }

  async #commit(options?: CommitOptions): Promise<void> {
    if (!this.#fresh || (this.#texts?.waiting ?? 0) >= TEXTS_AT_ONCE) await this.#texts?.flush();
    await this.context.commit(options);
  }
}

/** The folders above files, the root among them. */
function foldersOf(paths: ReadonlySet<string>): Set<string> {
  return paths.size === 0 ? new Set() : directoriesOf(paths);
}

async function hasAny(pages: AsyncIterable<readonly unknown[]>): Promise<boolean> {
  for await (const page of pages) if (page.length > 0) return true;
  return false;
}
