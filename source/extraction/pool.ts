import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { LIMITS } from '../../schema/index.js';
import { type Language, languageAmong, languages as registered } from '../languages/index.js';
import { isLibraryOurs } from '../tree-memory.js';
import type { Extraction, FileToExtract, MakeDocuments } from './extraction.js';
import { ExtractionRun, throwIfCancelled } from './extraction-run.js';
import { createExtractor, type Extractor } from './extractor.js';

/**
 * Extracts files in worker threads, and few small ones on the caller's thread, where a parser is kept warm: one
 * pool may be kept for as long as a graph is open.
 *
 * ```ts
 * const pool = createExtractionPool();
 * for await (const one of pool.extract(discovery.files.filter(({ extracted }) => extracted), { signal })) {
 *   if (one.ok) keep(one.path, one.content.hash, one.facts); // facts: bytes to store; factsFromBytes() reads them
 *   else problems.push({ path: one.path, reason: one.reason, detail: one.detail });
 * }
 * pool.close();
 * ```
 */
export interface ExtractionPool {
  /**
   * One answer per file, in the order of `files`, while later ones are being extracted; so far ahead only that
   * memory stays bounded when the caller is slow. A file that fails, hangs or ends its thread is an answer too, and
   * the others go on. Leaving the loop early ends the threads.
   *
   * @throws CodewalkError CANCELLED when the signal aborts: at once, threads and all.
   */
  extract(
    files: readonly FileToExtract[],
    options?: { readonly signal?: AbortSignal },
  ): AsyncGenerator<Extraction>;
  /** Frees the parser that is kept warm. No thread is left once {@link ExtractionPool.extract} is over. */
  close(): void;
}

/** What {@link createExtractionPool} may be told. */
export interface PoolOptions {
  /** Which languages; default: all that are extracted. Only grammars that files need are loaded. */
  readonly languages?: readonly Language[];
  /**
   * Threads at most; 0: everything on the caller's thread. Default: one for each core but one, which is the caller's
   * for what it does with the facts; four at most.
   */
  readonly size?: number;
  /**
   * The script of a thread. Default: the one that is built next to this file; where it is not there (when the
   * sources run as they are), everything is done on the caller's thread.
   */
  readonly worker?: URL;
  /** What else is made of each text; {@link PoolOptions.worker} has to make the same. Default: nothing. */
  readonly documentsOf?: MakeDocuments;
  /** Milliseconds that a file may take in a thread; longer where the machine is busy. Default: {@link LIMITS}.fileTime. */
  readonly fileTimeMs?: number;
}

/** A pool; it starts nothing and loads nothing before the first file. */
export function createExtractionPool(options: PoolOptions = {}): ExtractionPool {
  return new ThreadPool(options);
}

const BUILT_WORKER = new URL('./extraction.worker.js', import.meta.url);

class ThreadPool implements ExtractionPool {
  readonly #languages: readonly Language[];
  readonly #size: number;
  readonly #worker: URL;
  readonly #documentsOf: MakeDocuments | null;
  readonly #fileTimeMs: number;
  #own: { extractor: Extractor; languages: readonly Language[] } | null = null;

  constructor(options: PoolOptions) {
    this.#languages = options.languages ?? registered;
    this.#worker = options.worker ?? BUILT_WORKER;
    const spare = Math.max(1, availableParallelism() - 1);
    const size = options.size ?? Math.min(spare, LIMITS.extractionThreads.max);
    this.#size = existsSync(this.#worker) ? size : 0;
    this.#documentsOf = options.documentsOf ?? null;
    this.#fileTimeMs = options.fileTimeMs ?? LIMITS.fileTime.max;
  }

  async *extract(
    files: readonly FileToExtract[],
    { signal }: { readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<Extraction> {
    throwIfCancelled(signal);
    const needed = this.#neededBy(files);
    const isForThreads = async () =>
      !isSmall(files) || this.#own?.extractor.broken || !(await isLibraryOurs());
    if (this.#size > 0 && (await isForThreads())) {
      yield* this.#run(files, needed, signal);
      return;
    }
    for (const file of files) {
      throwIfCancelled(signal);
      const extraction = await this.#here(file, needed);
      // What fails here may be for the size of this thread's stack, or the time that it has: a thread of its own has the last word.
      const isSure = extraction.ok || extraction.reason !== 'PARSE_FAILED' || this.#size === 0;
      if (isSure) yield extraction;
      else yield* this.#run([file], needed, signal);
    }
  }

  close(): void {
    this.#own?.extractor.delete();
    this.#own = null;
  }

  #run(files: readonly FileToExtract[], needed: readonly Language[], signal: AbortSignal | undefined) {
    return new ExtractionRun(files, {
      worker: this.#worker,
      languages: needed.map(({ name }) => name),
      size: this.#size,
      fileTimeMs: this.#fileTimeMs,
      signal,
      otherwise: (file) => this.#here(file, needed),
    }).answers();
  }

  async #here(file: FileToExtract, needed: readonly Language[]): Promise<Extraction> {
    const own = this.#own;
    if (own && needed.every((language) => own.languages.includes(language)))
      return own.extractor.extract(file);
    const languages = [...new Set([...(own?.languages ?? []), ...needed])];
    // Where there are threads, what takes long is left to them.
    const options = this.#size > 0 ? { parseTimeMs: LIMITS.callerTime.max } : {};
    const extractor = await createExtractor(languages, this.#documentsOf, options);
    own?.extractor.delete();
    this.#own = { extractor, languages };
    return extractor.extract(file);
  }

  #neededBy(files: readonly FileToExtract[]): Language[] {
    const needed = new Set(files.map(({ path }) => languageAmong(this.#languages, path)));
    return this.#languages.filter((language) => needed.has(language));
  }
}

function isSmall(files: readonly FileToExtract[]): boolean {
  if (files.length > LIMITS.smallJobFiles.max) return false;
  return files.reduce((sum, { size }) => sum + size, 0) <= LIMITS.smallJobBytes.max;
}
