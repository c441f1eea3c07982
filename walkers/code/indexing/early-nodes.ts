import type { NodeDraft } from '../../../runtime/index.js';
import { moduleNames } from '../../../source/index.js';
import { fileNodes, type IndexedFile } from './file-part.js';
import type { Scope } from './scope.js';

/**
 * The nodes of the files of a first run, which are written while other files are being extracted: they follow from a
 * file alone, but for the name of its module. That is what it will be if no file is lost on the way.
 */
export class EarlyNodes {
  readonly #modules: ReadonlyMap<string, string>;
  readonly #kept: boolean;
  /** By path: the name of the module that it was given, and its nodes, where they are kept. */
  readonly #made = new Map<string, { readonly module: string; readonly nodes?: readonly NodeDraft[] }>();
  #waiting: NodeDraft[] = [];

  /** @param kept Whether the nodes stay in memory, for the parts of the files. */
  constructor({ files, project }: Scope, kept: boolean) {
    const paths = files.map(({ path }) => path);
    this.#modules = moduleNames(paths, project.manifests);
    this.#kept = kept;
  }

  /** Makes the nodes of a file. */
  add(file: Omit<IndexedFile, 'module'>, times: { readonly indexed_at: string }): void {
    const { path } = file.file;
    const module = this.#modules.get(path) ?? '';
    const nodes = fileNodes({ ...file, module }, times);
    this.#made.set(path, this.#kept ? { module, nodes } : { module });
    for (const node of nodes) this.#waiting.push(node);
  }

  /** What was made since this was last called. */
  take(): NodeDraft[] {
    const nodes = this.#waiting;
    this.#waiting = [];
    return nodes;
  }

  /** Whether a file has its nodes, under this name of its module. */
  has(path: string, module: string): boolean {
    return this.#made.get(path)?.module === module;
  }

  /** The nodes of a file under this name of its module; undefined where they are not kept. */
  of(path: string, module: string): readonly NodeDraft[] | undefined {
    return this.has(path, module) ? this.#made.get(path)?.nodes : undefined;
  }
}
