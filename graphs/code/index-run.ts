import type { StepsContext } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import type { DiscoveredFile } from '../../source/index.js';
import { type FileNews, type FileProblem, newsOf, suspects } from './changed-files.js';
import type { GraphPart } from './code-graph.js';
import { EarlyParts, expectedFiles } from './early-parts.js';
import { wholePart } from './file-part.js';
import { graphChanges, sharedChanges } from './graph-changes.js';
import { type GraphChanges, GraphWriter, NO_CHANGES } from './graph-writer.js';
import { type HistoryWritten, RunHistory } from './history/run-history.js';
import type { IndexSession } from './index-session.js';
import { IndexStore } from './index-store.js';
import { type MadePart, madePart } from './made-part.js';
import { ownPart } from './own-part.js';
import type { ProjectIndex } from './project-index.js';
import { type Resolved, resolveFiles } from './resolve-files.js';
import type { Scope } from './scope.js';
import { dirtyFiles, type Seen, takeOffers } from './seen.js';
import { putNodes, turn } from './turn.js';
import { writtenPart } from './written-part.js';

interface RunResult {
  /** Paths that were extracted, or read anew. */
  readonly changed: ReadonlySet<string>;
  readonly removed: readonly string[];
  /** How many files were resolved. */
  readonly resolved: number;
  /** Concepts that commits name, new or another than before. */
  readonly commitConcepts: number;
}

/** Bytes of facts, as they are stored, that stay in memory during a run over so many files. */
const FACTS_OF_A_WHOLE = 16 * 1024 * 1024;

/** A run that writes no more links than this is one commit: whole, or not there at all. */
const LINKS_OF_ONE_COMMIT = 10_000;

/** Extracts that are kept with one commit. */
const FILES_PER_COMMIT = 64;
/** Touched files are kept as such from this many on: fewer are read again sooner than they are written. */
const TOUCHED_TO_KEEP = 32;

/** What there is to write beside what was resolved. */
interface Outcome {
  readonly removed: readonly string[];
  readonly seen: Seen;
  readonly projectChanged: boolean;
}

/**
 * One run of the indexer over a scope: extracts what changed, resolves whoever that can matter to, and writes what is
 * then another than it was. A small run is one commit. A large one goes in steps under the mark "incomplete"; before
 * the first step that changes the graph, the bases of the parts that it is about to change are struck out, so that
 * the next run finds what is missing wherever this one ends.
 */
export class IndexRun {
  readonly #store: IndexStore;
  /** This run's, if it writes. */
  readonly #generation: number;
  readonly #stateOf = (path: string) => this.index.states.get(path);
  /** Whether no run ever wrote here. */
  readonly #fresh: boolean;
  /** Whether what is stored may be half written. */
  readonly #mending: boolean;
  readonly #changed = new Set<string>();
  readonly #touched = new Set<string>();
  readonly #lost: string[] = [];
  /** What files offer whose facts this run found. */
  readonly #offers = new Map<string, string>();
  readonly #times: { readonly indexed_at: string };
  /** Bases of parts that the graph holds of files that failed: what fails again is not written again. */
  readonly #held = new Map<string, string>();
  /** Of a first run. */
  #early: EarlyParts | null = null;
  readonly #history: RunHistory;
  #announced = false;
  #mostFacts: number = LIMITS.keptFacts.max;
  #full = false;
  /** Whether the graph is compared as a whole, also what no single file brings. */
  #whole: boolean;

  /** @param problems gets what goes wrong with single files. */
  constructor(
    private readonly context: StepsContext,
    private readonly index: ProjectIndex,
    private readonly made: Pick<IndexSession, 'pool' | 'documentsOf' | 'pieces'>,
    private readonly problems: FileProblem[],
  ) {
    this.#history = new RunHistory(context);
    this.#fresh = index.mark === undefined;
    this.#store = new IndexStore(context, index, this.#fresh);
    this.#times = { indexed_at: new Date(context.now()).toISOString() };
    this.#generation = (index.mark?.generation ?? 0) + 1;
    this.#mending = !this.#fresh && (index.damaged || index.mark?.complete !== true);
    this.#whole = this.#fresh || this.#mending;
  }

  /** @param full Whether all is extracted again and compared: what somebody else changed in the graph is set right. */
  async update(scope: Scope, full: boolean): Promise<RunResult> {
    const index = this.index;
    this.#full = full;
    this.#whole ||= full;
    if (!this.#fresh) await this.#history.ask();
    const looked = suspects(scope.files, { states: index.states, full });
    if (this.#fresh) await this.#announce(looked);
    await this.#extract(looked, scope);
    const removed = [...scope.absent, ...this.#lost.filter((path) => index.states.has(path))];
    const projectChanged = JSON.stringify(scope.project) !== JSON.stringify(index.project);
    const unsettled = [...index.states].filter(([, { part }]) => part === null).map(([path]) => path);
    const isNothing = unsettled.length + removed.length === 0 && !projectChanged;
    if (isNothing && !this.#whole) {
      await this.#rememberTouched();
      const history = await this.#history.write([]);
      if (history.wrote) await this.#store.commit();
      return { changed: this.#changed, removed, resolved: 0, commitConcepts: history.concepts };
    }
    const seen = await takeOffers(this.context, index, {
      offers: this.#offers,
      project: scope.project,
      unsettled,
      removed,
    });
    const dirty = dirtyFiles(index, unsettled, seen);
    const outcome = { removed, seen, projectChanged };
    const { concepts } =
      this.#fresh || dirty.length > this.made.pieces.asAWhole
        ? await this.#writeInPieces(dirty, outcome)
        : await this.#writeWhole(dirty, outcome);
    return { changed: this.#changed, removed, resolved: dirty.length, commitConcepts: concepts };
  }

  /** Tells, before anything is written, that the graph is incomplete from now on. */
  async #announce(files: readonly DiscoveredFile[]): Promise<void> {
    this.#announced = true;
    this.#putMark({ complete: false, pending: files.length });
    // Whoever asks about a file in the meantime hears that it is to come.
    if (this.#fresh) await putNodes(this.context, expectedFiles(files));
    await this.#store.commit();
  }

  /** Reads and extracts what may have changed, and keeps the facts beside the graph. */
  async #extract(files: readonly DiscoveredFile[], scope: Scope): Promise<void> {
    const [context, full, { states }] = [this.context, this.#full, this.index];
    const reading = { context, states, ...this.made, full, problems: this.problems };
    const isWhole = files.length <= this.made.pieces.asAWhole;
    if (isWhole) this.#mostFacts = FACTS_OF_A_WHOLE;
    const early = this.#fresh ? new EarlyParts(scope, isWhole) : null;
    this.#early = early;
    const keep = async () => {
      await early?.write(this.context);
      await this.#store.commit({ forget: !isWhole });
    };
    let done = 0;
    for await (const news of newsOf(files, reading)) {
      if (!this.#announced && news.kind === 'changed' && files.length > FILES_PER_COMMIT)
        await this.#announce(files);
      this.context.progress({ phase: 'extract', done: done++, total: files.length, item: news.path });
      this.#take(news);
      if (news.kind === 'changed') early?.add(this.index.fileOf(news.path, news.facts), this.#times);
      if (this.#announced && done % FILES_PER_COMMIT === 0) await keep();
      await turn(context);
    }
    if (this.#announced) await keep();
  }

  #take(news: FileNews): void {
    const { path } = news;
    const before = this.index.states.get(path);
    if (news.kind === 'lost') this.#lost.push(path);
    else if (news.kind === 'touched') {
      this.#touched.add(path);
      if (before) this.index.set(path, { ...before, stamp: news.stamp, mtime_ms: news.mtime_ms });
    } else {
      this.#offers.set(path, news.offers);
      const { offers = null, written = null } = before ?? {};
      if (before?.part) this.#held.set(path, before.part);
      this.#changed.add(path);
      const state = { ...news.state, offers, part: null, written };
      this.index.set(path, state);
      this.#store.putState(path, state);
      this.#store.putFacts(path, news.bytes);
      this.#store.putDocuments(path, news.documents);
      if (news.facts) this.index.facts.put(path, news.facts, news.bytes?.length ?? 0);
      else this.index.facts.drop(path);
      this.index.facts.trim(this.#mostFacts);
    }
  }

  /** @param progress how many files of how many were resolved before these. */
  #resolve(
    dirty: readonly string[],
    progress = { done: 0, total: dirty.length },
  ): AsyncGenerator<Map<string, Resolved<MadePart>>> {
    const { states, facts } = this.index;
    return resolveFiles(
      dirty,
      {
        context: this.context,
        places: this.index.places(),
        facts,
        hasFacts: (path) => states.get(path)?.extracted ?? false,
        lookedBefore: (path) => states.get(path)?.written?.looked ?? [],
        progress,
      },
      (path, resolution, factsOf) => {
        const indexed = this.index.indexedFile(path, factsOf(path) ?? null);
        const isTrusted = !this.#full && !this.index.damaged;
        const before = isTrusted ? (states.get(path)?.part ?? this.#held.get(path)) : undefined;
        const own = this.#early?.of(path, indexed.module);
        return madePart(indexed, resolution, factsOf, { ...this.#times, before, own });
      },
    );
  }

  /**
   * Writes the files of a first run, or more than memory is meant for, as they are resolved. The nodes of all of them
   * come first, since links lead to any of them: nodes follow from a file alone, so that nothing has to be resolved
   * for them.
   */
  async #writeInPieces(dirty: readonly string[], outcome: Outcome): Promise<HistoryWritten> {
    await this.#strikeOut(dirty, new Set(dirty), outcome.removed);
    await this.#writeNodes(dirty);
    await this.#writer().write(await this.#changes(new Map(), outcome));
    const written: string[] = [];
    for (const [at, paths] of this.#piecesOf(dirty)) {
      for await (const parts of this.#resolve(paths, { done: at, total: dirty.length })) {
        const files = await this.#settle(parts);
        await this.#writer(true).write({ ...NO_CHANGES, ...sharedChanges(this.index), files });
        await this.#store.putStates(parts.keys(), this.#stateOf);
        written.push(...files.keys());
      }
      if (paths.length < dirty.length) await this.#release();
    }
    return this.#finish([], written, outcome.removed);
  }

  /** Writes the nodes of files, but for those that have them as they will be. */
  async #writeNodes(files: readonly string[]): Promise<void> {
    const context = this.context;
    const { facts, states } = this.index;
    const modules = this.index.modules();
    const due = files.filter((path) => !this.#early?.has(path, modules.get(path) ?? ''));
    for (const [at, paths] of this.#piecesOf(due)) {
      context.progress({ phase: 'write nodes', done: at, total: due.length });
      await facts.load(
        context,
        paths.filter((path) => states.get(path)?.extracted),
      );
      const nodesOf = (path: string) =>
        ownPart(this.index.indexedFile(path, facts.get(path)?.facts ?? null), this.#times).nodes;
      for (const path of paths) {
        await context.putAll(nodesOf(path));
        await turn(context);
      }
      await this.#release();
    }
  }

  /** Paths in pieces, each with the number of those before it; few paths are one. */
  *#piecesOf(paths: readonly string[]): Generator<[at: number, piece: readonly string[]]> {
    const { asAWhole, atOnce } = this.made.pieces;
    const size = paths.length > asAWhole ? atOnce : asAWhole;
    for (let at = 0; at < paths.length; at += size) yield [at, paths.slice(at, at + size)];
  }

  /** Between two pieces: what they had in memory goes. */
  async #release(): Promise<void> {
    await this.#store.commit({ forget: true });
    this.index.facts.trim();
    await turn(this.context);
  }

  /** Takes what was resolved into the index; the parts that the graph does not have like that. */
  async #settle(parts: ReadonlyMap<string, Resolved<MadePart>>): Promise<Map<string, GraphPart>> {
    const files = new Map<string, GraphPart>();
    for (const [path, { value, looked, problem }] of parts) {
      const state = this.index.states.get(path);
      if (!state) continue;
      const { indexed, basis, part } = value;
      // A first run has written what is a file's own.
      if (part) files.set(path, this.#early ? { nodes: part.own.nodes, links: part.links } : wholePart(part));
      const written = part
        ? writtenPart(indexed, part, looked, problem)
        : state.written && { ...state.written, looked: [...looked], problem };
      this.index.set(path, { ...state, part: basis, written });
      await turn(this.context);
    }
    return files;
  }

  async #writeWhole(dirty: readonly string[], outcome: Outcome): Promise<HistoryWritten> {
    const files = new Map<string, GraphPart>();
    for await (const parts of this.#resolve(dirty))
      for (const [path, part] of await this.#settle(parts)) files.set(path, part);
    const inSteps = this.#whole || this.#announced || !isOneCommit(files.values());
    if (inSteps) await this.#strikeOut(dirty, files, outcome.removed);
    await this.#writer(false, inSteps).write(await this.#changes(files, outcome));
    return this.#finish(dirty, files.keys(), outcome.removed);
  }

  #writer(filesThere = false, inSteps = true): GraphWriter {
    return new GraphWriter(this.context, { fresh: this.#fresh, inSteps, filesThere });
  }

  #changes(
    files: ReadonlyMap<string, GraphPart>,
    { removed, seen, projectChanged }: Outcome,
  ): Promise<GraphChanges> {
    return graphChanges(this.context, this.index, {
      files,
      moved: seen.moved,
      renamed: seen.renamed,
      removed: [...removed, ...this.#lost],
      projectChanged,
      whole: this.#whole,
    });
  }

  /** The last commit. @param resolved whose states are not kept yet. */
  async #finish(
    resolved: Iterable<string>,
    written: Iterable<string>,
    removed: readonly string[],
  ): Promise<HistoryWritten> {
    const history = await this.#history.write(written);
    await this.#store.putStates([...resolved, ...this.#touched], this.#stateOf);
    const lost = this.index.unreadable.filter((path) => !this.index.states.has(path));
    for (const path of [...removed, ...lost]) this.#store.forget(path);
    this.#putMark({ complete: true, pending: 0 });
    this.#store.putProject(this.index.project);
    await this.#store.commit();
    return history;
  }

  /** The last step before the graph changes: from here on the store says which files are not written. */
  async #strikeOut(
    resolved: Iterable<string>,
    files: { readonly size: number; has(path: string): boolean },
    removed: readonly string[],
  ): Promise<void> {
    await this.#store.putStates(resolved, (path) => {
      const state = this.#stateOf(path);
      return state && files.has(path) ? { ...state, part: null } : state;
    });
    for (const path of removed) this.#store.forget(path);
    this.#store.putProject(this.index.project);
    this.#putMark({ complete: false, pending: files.size });
    await this.#store.commit();
  }

  #putMark(progress: { readonly complete: boolean; readonly pending: number }): void {
    const mark = { generation: this.#generation, ...progress };
    this.#store.putMark(mark);
    this.index.mark = mark;
  }

  async #rememberTouched(): Promise<void> {
    if (this.#touched.size < TOUCHED_TO_KEEP) return;
    await this.#store.putStates(this.#touched, this.#stateOf);
    await this.#store.commit();
  }
}

/** Whether parts are few enough for one commit. */
function isOneCommit(parts: Iterable<GraphPart>): boolean {
  let links = 0;
  for (const part of parts) links += part.links.length;
  return links <= LINKS_OF_ONE_COMMIT;
}
