import type { NodeRef, StepsContext } from '../../../runtime/index.js';
import { File, fileId } from '../../../schema/index.js';
import {
  type Discovery,
  discover,
  type FileFacts,
  languageOf,
  type SourceParser,
} from '../../../source/index.js';
import {
  factsName,
  type IndexProgress,
  LAST_OUTPUT,
  PROGRESS_MARK,
  readOutput,
  readProgress,
  stateName,
  toBytes,
  writtenBy,
} from './file-state.js';
import { GraphWriter } from './graph-writer.js';
import { byPath, indexOutput, SYNTAX_ERROR, skippedByReason } from './index-figures.js';
import type { IndexOutput } from './index-output.js';
import { programParts } from './program-parts.js';
import {
  type Content,
  isChanged,
  type ProjectFile,
  type ProjectFiles,
  readProjectFiles,
  withoutFiles,
} from './project-files.js';
import { extractFacts, type FileProblem, parserFor, rootOf } from './read-project.js';

/** Extracts that are kept with one commit. */
const FILES_PER_COMMIT = 64;

/** What a run may be told: the input of the walker. */
export interface IndexInput {
  readonly mode: 'full' | 'incremental';
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

/** One run of the indexer: discovered and read when it begins, then extracted file by file, then written. */
export class IndexRun {
  readonly #context: StepsContext;
  readonly #started: number;
  readonly #discovery: Discovery;
  readonly #project: ProjectFiles;
  readonly #parser: SourceParser;
  readonly #problems: FileProblem[];
  readonly #facts = new Map<string, FileFacts>();
  readonly #contents = new Map<string, Content>();
  readonly #changed: ReadonlyMap<string, ProjectFile>;
  /** Files that could be read when the run began and could not any more when they were extracted. */
  readonly #lost = new Set<string>();
  /** What the last run left; undefined when there was none. */
  readonly #before: IndexProgress | undefined;
  #done = 0;
  #output: IndexOutput | null = null;

  private constructor(
    context: StepsContext,
    input: IndexInput,
    started: number,
    found: {
      discovery: Discovery;
      project: ProjectFiles;
      parser: SourceParser;
      problems: FileProblem[];
      before: IndexProgress | undefined;
    },
  ) {
    this.#context = context;
    this.#started = started;
    this.#discovery = found.discovery;
    this.#project = found.project;
    this.#parser = found.parser;
    this.#problems = found.problems;
    this.#before = found.before;
    const changed = found.project.files.filter((file) => input.mode === 'full' || isChanged(file));
    this.#changed = new Map(changed.map((file) => [file.file.path, file]));
  }

  /**
   * Discovers and reads the project's files.
   *
   * @throws CodewalkError `INVALID_ROOT`, `INVALID_INPUT` (a glob), `CANCELLED`.
   */
  static async begin(context: StepsContext, input: IndexInput): Promise<IndexRun> {
    const started = context.now();
    const problems: FileProblem[] = [];
    const discovery = await discover(rootOf(context), {
      languageOf: (path) => languageOf(path) ?? null,
      include: input.include,
      exclude: input.exclude,
      signal: context.signal,
      onProgress: (decided) => context.progress({ phase: 'discover', done: decided, total: null }),
    });
    const parser = await parserFor(discovery, problems);
    const loaded = new Set(parser.languages.map(({ name }) => name));
    const project = await readProjectFiles(context, discovery, loaded, problems);
    const [mark] = await context.blobs([PROGRESS_MARK]);
    const before = readProgress(mark);
    return new IndexRun(context, input, started, { discovery, project, parser, problems, before });
  }

  /**
   * Whether the graph is what it would become: every file was written as it is now, none is gone, and the last
   * run finished. Then the run is over, and its answer is the last one's with nothing indexed.
   */
  async isUpToDate(): Promise<boolean> {
    if (this.#changed.size > 0) return false;
    const [bytes] = await this.#context.blobs([LAST_OUTPUT]);
    const last = readOutput(bytes);
    if (!last || this.#before?.complete !== true) return false;
    if ((await this.#context.findIds(File)).length !== this.#project.files.length) return false;
    this.#parser.delete();
    const skipped = skippedByReason(this.#discovery, this.#problems);
    const nothing = { files_indexed: 0, symbols_indexed: 0, concepts_indexed: 0, files_removed: 0 };
    const syntax = last.problems.filter(({ reason }) => reason === SYNTAX_ERROR);
    const problems = [...this.#problems, ...syntax].sort(byPath);
    this.#output = {
      ...last,
      ...nothing,
      skipped,
      problems,
      duration_ms: this.#context.now() - this.#started,
    };
    return true;
  }

  /** The File nodes of the files to extract, made where they are not there yet: where the walk goes next. */
  async changedFiles(): Promise<NodeRef[]> {
    const ids = [...this.#changed.keys()].map(fileId);
    const known = await this.#context.nodes(ids);
    const missing = [...this.#changed.values()].filter((_, i) => known[i] === undefined);
    this.#context.putBlob(PROGRESS_MARK, toBytes({ generation: this.#generation, complete: false }));
    await this.#context.createAll(
      missing.map(({ file: { path, language } }) =>
        File({ path, name: path.slice(path.lastIndexOf('/') + 1), language }, { id: fileId(path) }),
      ),
    );
    await this.#context.commit();
    return (await this.#context.nodes(ids)).filter((node) => node !== undefined);
  }

  /** Extracts the file that the walk is at, and keeps its facts beside the graph. */
  async extract({ path }: NodeRef<typeof File>): Promise<void> {
    const file = this.#changed.get(path);
    if (!file) return;
    this.#context.progress({ phase: 'extract', done: this.#done++, total: this.#changed.size, item: path });
    const extracted = file.language ? extractFacts(this.#parser, file, this.#problems) : null;
    if (extracted && !extracted.content) this.#lost.add(path);
    const facts = extracted?.facts ?? null;
    const { hash, size } = extracted?.content ?? { hash: file.hash, size: file.file.size };
    this.#contents.set(path, { hash, size });
    if (facts) this.#facts.set(path, facts);
    this.#context.putBlob(factsName(path), facts ? toBytes(facts) : undefined);
    // What failed is tried again by the next run, whether or not its content changes.
    const done = extracted && !facts ? '' : hash;
    this.#context.putBlob(stateName(path), toBytes({ hash: done, by: writtenBy(file.language), part: null }));
    if (this.#done % FILES_PER_COMMIT === 0) await this.#context.commit();
  }

  /** Resolves the whole program and writes what differs from the graph. */
  async write(): Promise<void> {
    this.#parser.delete();
    await this.#context.commit();
    const project = withoutFiles(this.#project, this.#lost);
    const parts = await programParts(this.#context, project, this.#facts, this.#contents);
    const writer = new GraphWriter(this.#context, { fresh: this.#before === undefined });
    const written = await writer.write(parts);
    this.#context.putBlob(PROGRESS_MARK, toBytes({ generation: this.#generation, complete: true }));
    this.#output = indexOutput({
      discovery: this.#discovery,
      problems: this.#problems,
      parts,
      written,
      changed: new Set([...this.#changed.keys()].filter((path) => !this.#lost.has(path))),
      duration: this.#context.now() - this.#started,
    });
    this.#context.putBlob(LAST_OUTPUT, toBytes(this.#output));
    await this.#context.commit();
  }

  /** What the run answers; null while it has not written. */
  get output(): IndexOutput | null {
    return this.#output;
  }

  get #generation(): number {
    return (this.#before?.generation ?? 0) + 1;
  }
}
