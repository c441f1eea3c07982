import { parentPort } from 'node:worker_threads';
import { Catalog } from '../../runtime/index.js';
import { ARCHETYPES } from '../../schema/index.js';
import { UnitPacker } from '../../storage/index.js';
import { basisOf, filePart, writtenPart } from './file-part.js';
import type { LinkedFiles, LinkingRequest, LinkingStart } from './linking.js';
import { ProjectIndex } from './project-index.js';
import { type Resolved, type Resolving, resolveFiles } from './resolve-files.js';
import type { WrittenPart } from './state.js';

/** What is made of a file. */
interface Made {
  readonly basis: string;
  readonly written: Omit<WrittenPart, 'looked' | 'problem'>;
  readonly packed: { readonly pack: Buffer; readonly details: Buffer };
}

/** The body of a worker thread: links the files that it is asked for and packs their parts of the graph, in order. */
export function serveLinking(): void {
  let linker: Linker | null = null;
  let last: Promise<unknown> = Promise.resolve();
  parentPort?.on('message', (message: LinkingRequest) => {
    if ('start' in message) linker = new Linker(message.start);
    else
      last = last.then(async () => {
        if (linker) parentPort?.postMessage(...(await linker.link(message.files)));
      });
  });
}

/** Links files of one run. */
class Linker {
  readonly #index: ProjectIndex;
  readonly #packer: UnitPacker;

  constructor(private readonly start: LinkingStart) {
    this.#index = ProjectIndex.of(start.states, start.project);
    this.#packer = new UnitPacker(start.types, new Catalog(ARCHETYPES));
    for (const [path, from, to] of start.facts) this.#index.facts.put(path, start.bytes.subarray(from, to));
  }

  async link(paths: readonly string[]): Promise<[LinkedFiles, ArrayBuffer[]]> {
    const { modules, indexedAt } = this.start;
    const index = this.#index;
    const context: Resolving['context'] = {
      blobs: async (names) => names.map(() => undefined),
      pause: () => undefined,
      progress: () => undefined,
      signal: NEVER,
    };
    const resolving = { context, index, progress: { done: 0, total: paths.length } };
    const all = new Map<string, Resolved<Made>>();
    const batches = resolveFiles(paths, resolving, (path, resolution, factsOf): Made => {
      const indexed = index.indexedFile(path, factsOf(path) ?? null, modules.get(path) ?? '');
      const part = filePart(indexed, resolution, factsOf, indexedAt);
      const packed = this.#packer.pack({
        nodes: part.own.nodes,
        links: [...part.own.links, ...part.links],
      });
      if (!packed) throw new Error(`${path} cannot be packed on this thread`);
      return {
        basis: basisOf(indexed, resolution, factsOf),
        written: writtenPart(indexed, part, [], null),
        packed,
      };
    });
    for await (const batch of batches) for (const [path, resolved] of batch) all.set(path, resolved);
    return message(paths, all);
  }
}

const NEVER = new AbortController().signal;

/** What was made of files, its bytes in two buffers that move to the other thread. */
function message(
  paths: readonly string[],
  all: ReadonlyMap<string, Resolved<Made>>,
): [LinkedFiles, ArrayBuffer[]] {
  const made = paths.flatMap((path) => {
    const one = all.get(path);
    return one ? [{ path, ...one }] : [];
  });
  const packs = joined(made.map(({ value }) => value.packed.pack));
  const details = joined(made.map(({ value }) => value.packed.details));
  const files = made.map(({ path, value: { basis, written, packed }, looked, problem }) => ({
    path,
    basis,
    written: { ...written, looked: [...looked], problem },
    lengths: [packed.pack.length, packed.details.length] as const,
  }));
  return [{ files, packs, details }, [packs.buffer, details.buffer]];
}

function joined(parts: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
