import { z } from 'zod';
import { compareText, type StepsContext } from '../../runtime/index.js';
import { DirContainsDir, DirContainsFile, LIMITS, ProjectContainsDir } from '../../schema/index.js';
import {
  basesIn,
  createPlaces,
  type FileFacts,
  type LookupKey,
  moduleNames,
  type PackageManifest,
  type Places,
} from '../../source/index.js';
import { Counter } from './counter.js';
import { directoriesOf } from './directory-parts.js';
import { FactsStore } from './facts-store.js';
import { type FileState, fromBytes, readState, STATES } from './file-state.js';
import {
  type IndexProgress,
  PROGRESS_MARK,
  PROJECT_STATE,
  readProgress,
  readTextMark,
  TEXT_MARK,
  TEXT_MARK_NOW,
  type TextMark,
} from './index-mark.js';
import type { IndexOutput } from './index-output.js';
import type { IndexedFile } from './own-part.js';
import { SharedNodes } from './shared-nodes.js';

/** What a run says of the whole graph. */
type TotalFigures = Pick<
  IndexOutput,
  | 'files_total'
  | 'symbols_total'
  | 'edges_total'
  | 'languages'
  | 'symbols_by_kind'
  | 'edges_by_type'
  | 'calls'
  | 'central_file'
  | 'bytes_total'
>;

/** Sums over the states of all files, kept by difference. */
class Totals {
  #files = 0;
  #bytes = 0;
  #resolved = 0;
  #external = 0;
  #unresolved = 0;
  readonly #symbols = new Counter();
  readonly #edges = new Counter();
  readonly #uses = new Counter();
  readonly #languages = new Map<string, { files: number; extracted: number; symbols: number }>();

  /** Counts a file in, or with -1 out. */
  count({ size, language, extracted, written }: FileState, sign: 1 | -1): void {
    this.#files += sign;
    this.#bytes += sign * size;
    const figures = this.#languages.get(language) ?? { files: 0, extracted: 0, symbols: 0 };
    this.#languages.set(language, figures);
    figures.files += sign;
    if (extracted) figures.extracted += sign;
    if (!written) return;
    for (const [kind, number] of Object.entries(written.symbols)) {
      this.#symbols.add(kind, sign * number);
      figures.symbols += sign * number;
    }
    for (const [type, number] of Object.entries(written.edges)) this.#edges.add(type, sign * number);
    for (const path of written.uses) this.#uses.add(path, sign);
    this.#resolved += sign * written.calls.resolved;
    this.#external += sign * written.calls.external;
    this.#unresolved += sign * written.calls.unresolved;
  }

  /** @param directories how many folders the graph has, the root among them. */
  figures(directories: number): TotalFigures {
    const edges = new Counter();
    edges.add(ProjectContainsDir.name);
    edges.add(DirContainsDir.name, directories - 1);
    edges.add(DirContainsFile.name, this.#files);
    for (const [type, number] of Object.entries(this.#edges.sorted())) edges.add(type, number);
    return {
      files_total: this.#files,
      symbols_total: this.#symbols.total,
      edges_total: edges.total,
      languages: [...this.#languages]
        .filter(([, { files }]) => files > 0)
        .map(([language, figures]) => ({ language, ...figures }))
        .sort((a, b) => b.files - a.files || compareText(a.language, b.language)),
      symbols_by_kind: this.#symbols.sorted(),
      edges_by_type: edges.sorted(),
      calls: { resolved: this.#resolved, external: this.#external, unresolved: this.#unresolved },
      // The file that most others import or call: a good one to look at first.
      central_file: this.#uses.first(),
      bytes_total: this.#bytes,
    };
  }
}

/** What is kept of the project as a whole. */
const ProjectState = z.object({
  /** As they were when files were last resolved. */
  manifests: z.array(z.custom<PackageManifest>((value) => typeof value === 'object' && value !== null)),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  max_file_bytes: z.number().default(LIMITS.fileBytes.default),
});

export type ProjectState = z.infer<typeof ProjectState>;

/** What is stored of the project as a whole; undefined where there is nothing, or it cannot be read. */
export async function storedProject({
  blobs,
}: Pick<StepsContext, 'blobs'>): Promise<ProjectState | undefined> {
  const [project] = await blobs([PROJECT_STATE]);
  return ProjectState.safeParse(fromBytes(project)).data;
}

/** Nothing was indexed yet. */
const NO_PROJECT: ProjectState = {
  manifests: [],
  include: [],
  exclude: [],
  max_file_bytes: LIMITS.fileBytes.default,
};

/**
 * What earlier runs left about every file, in memory, with what follows from it. Kept up by difference: a run that
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
  /** Paths whose states could not be read. */
  readonly unreadable: readonly string[];
  readonly facts = new FactsStore();
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
    unreadable: readonly string[],
  ) {
    this.mark = mark;
    this.text = text;
    this.project = project ?? NO_PROJECT;
    this.unreadable = unreadable;
    this.damaged = unreadable.length > 0 || (mark !== undefined && project === undefined);
  }

  /** Reads it from the store: linear in the number of files, whose facts are not looked at. */
  static async load(context: Pick<StepsContext, 'blobs' | 'blobsUnder'>): Promise<ProjectIndex> {
    const [mark, text] = await context.blobs([PROGRESS_MARK, TEXT_MARK]);
    const states: [string, FileState][] = [];
    const unreadable: string[] = [];
    for await (const page of context.blobsUnder(STATES))
      for (const { name, value } of page) {
        const state = readState(value);
        const path = name.slice(STATES.length);
        if (state) states.push([path, state]);
        else unreadable.push(path);
      }
    const index = new ProjectIndex(
      readProgress(mark),
      await storedProject(context),
      unreadable.length > 0 ? undefined : readTextMark(text),
      unreadable,
    );
    for (const [path, state] of states) index.set(path, state);
    index.shared.takeChanged();
    return index;
  }

  /** Whether the text index is what would be made now of the files that are known. */
  get hasTexts(): boolean {
    const { index, words } = TEXT_MARK_NOW;
    return this.text?.index === index && this.text.words === words;
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
    else if (basesIn(old ?? '') !== basesIn(now ?? '')) this.#places = null;
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
    this.#modules ??= moduleNames(this.#present(), this.project.manifests);
    return this.#modules;
  }

  /** The folders that hold those files. */
  directories(): ReadonlySet<string> {
    this.#directories ??= directoriesOf(this.#present());
    return this.#directories;
  }

  /** A file as its state has it, and what it is in the project; of one that is not known, next to nothing. */
  indexedFile(path: string, facts: FileFacts | null): IndexedFile {
    return { ...this.fileOf(path, facts), module: this.modules().get(path) ?? '' };
  }

  /** A file by itself. */
  fileOf(path: string, facts: FileFacts | null): Omit<IndexedFile, 'module'> {
    const { size = 0, mtime_ms = 0, language = '', hash = '', by = '' } = this.#states.get(path) ?? {};
    return { file: { path, size, mtimeMs: mtime_ms, language }, hash, by, facts };
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
    for (const node of state.written.shared) {
      if (sign > 0) this.shared.add(node);
      else this.shared.remove(node);
    }
  }
}
