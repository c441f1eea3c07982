import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { StepsContext } from '../../runtime/index.js';
import { ARCHETYPES, LIMITS } from '../../schema/index.js';
import type { PackedUnit } from '../../storage/index.js';
import type { ProjectIndex } from './project-index.js';
import type { FileState, ProjectState, WrittenPart } from './state.js';
import { turn } from './write.js';

/** What a thread begins with: all that files are linked by. */
export interface LinkingStart {
  readonly states: readonly (readonly [path: string, state: FileState])[];
  readonly project: ProjectState;
  /** The qualified names of modules, by path. */
  readonly modules: ReadonlyMap<string, string>;
  /** The facts of all files, in memory that the threads share. */
  readonly bytes: Uint8Array;
  readonly facts: readonly (readonly [path: string, from: number, to: number])[];
  /** How the graph writes archetypes. */
  readonly types: ReturnType<StepsContext['typesOf']>;
  readonly indexedAt: string;
}

/** What a thread is told: how to begin, then which files to link. */
export type LinkingRequest = { readonly start: LinkingStart } | { readonly files: readonly string[] };

/** What a thread answers. */
export interface LinkedFiles {
  readonly files: readonly {
    readonly path: string;
    readonly basis: string;
    readonly written: WrittenPart;
    /** Of its pack, and of its details. */
    readonly lengths: readonly [number, number];
  }[];
  /** The packs of all, one after the other; and the details. */
  readonly packs: Uint8Array;
  readonly details: Uint8Array;
}

/** A file that was linked: its part of the graph as it is stored, and what its state says of that. */
export interface LinkedFile {
  readonly path: string;
  readonly basis: string;
  readonly written: WrittenPart;
  readonly packed: PackedUnit;
}

/** Built next to this file; where it is not there (when the sources run as they are), one thread does everything. */
const WORKER = new URL('./linking.worker.js', import.meta.url);
/** Fewer files are linked sooner than threads have started. */
const LEAST_FILES = 128;
/** Files that a thread is asked for at once. */
const FILES_PER_REQUEST = 16;

/** Threads that link the files of a first run, all of whose facts are in memory. */
export class Linking {
  readonly #threads: readonly Worker[];
  #failure: Error | null = null;
  #wake = (): void => {};
  readonly #done = new Map<number, LinkedFiles>();

  /** Starts threads where that is worth it: before they are asked, so that they have loaded what they need. */
  static begun(files: number): Linking | null {
    const size = Math.min(availableParallelism(), LIMITS.extractionThreads.max);
    return size > 1 && files >= LEAST_FILES && existsSync(WORKER) ? new Linking(size) : null;
  }

  private constructor(size: number) {
    const failed = (error: unknown) => {
      this.#failure ??= error instanceof Error ? error : new Error(String(error));
      this.#wake();
    };
    this.#threads = Array.from({ length: size }, () => {
      const thread = new Worker(WORKER, { name: 'codewalk linking' });
      thread.on('error', failed);
      thread.on('exit', () => failed('a thread ended'));
      return thread;
    });
  }

  /**
   * Links files, in their order; gives them in batches.
   *
   * @throws Error where a thread fails: what was not given is not linked.
   */
  async *link(
    paths: readonly string[],
    context: StepsContext,
    index: ProjectIndex,
    indexedAt: string,
  ): AsyncGenerator<readonly LinkedFile[]> {
    const start = startOf(context, index, indexedAt);
    const requests: (readonly string[])[] = [];
    for (let at = 0; at < paths.length; at += FILES_PER_REQUEST)
      requests.push(paths.slice(at, at + FILES_PER_REQUEST));
    let next = 0;
    const ask = (thread: Worker) => {
      const files = requests[next];
      if (!files) return;
      const place = next++;
      thread.once('message', (answer: LinkedFiles) => {
        this.#done.set(place, answer);
        ask(thread);
        this.#wake();
      });
      thread.postMessage({ files } satisfies LinkingRequest);
    };
    for (const thread of this.#threads) {
      thread.postMessage({ start } satisfies LinkingRequest);
      ask(thread);
    }
    for (const place of requests.keys()) {
      context.progress({ phase: 'resolve', done: place * FILES_PER_REQUEST, total: paths.length });
      yield filesOf(await this.#answer(place, context));
    }
  }

  async #answer(place: number, context: StepsContext): Promise<LinkedFiles> {
    const wake = () => this.#wake();
    context.signal.addEventListener('abort', wake);
    try {
      for (;;) {
        await turn(context);
        const answer = this.#done.get(place);
        this.#done.delete(place);
        if (answer) return answer;
        if (this.#failure) throw this.#failure;
        await new Promise<void>((done) => {
          this.#wake = done;
        });
      }
    } finally {
      context.signal.removeEventListener('abort', wake);
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.terminate()));
  }
}

function startOf(context: StepsContext, index: ProjectIndex, indexedAt: string): LinkingStart {
  const all = [...index.states.keys()].flatMap((path) => {
    const bytes = index.facts.bytesOf(path);
    return bytes ? [{ path, bytes }] : [];
  });
  const size = all.reduce((sum, { bytes }) => sum + bytes.length, 0);
  const bytes = new Uint8Array(new SharedArrayBuffer(size));
  let at = 0;
  const facts = all.map(({ path, bytes: own }) => {
    bytes.set(own, at);
    at += own.length;
    return [path, at - own.length, at] as const;
  });
  return {
    states: [...index.states],
    project: index.project,
    modules: index.modules(),
    bytes,
    facts,
    types: context.typesOf(ARCHETYPES.filter(({ layer }) => layer === 'derived')),
    indexedAt,
  };
}

function filesOf({ files, packs, details }: LinkedFiles): LinkedFile[] {
  const [allPacks, allDetails] = [packs, details].map(({ buffer }) => Buffer.from(buffer)) as [
    Buffer,
    Buffer,
  ];
  let [pack, detail] = [0, 0];
  return files.map(({ path, basis, written, lengths: [ofPack, ofDetails] }) => {
    const packed = {
      pack: allPacks.subarray(pack, pack + ofPack),
      details: allDetails.subarray(detail, detail + ofDetails),
    };
    [pack, detail] = [pack + ofPack, detail + ofDetails];
    return { path, basis, written, packed };
  });
}
