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
  readonly #given = new Map<string, string>();
  #waiting: NodeDraft[] = [];

  constructor({ files, project }: Scope) {
    const paths = files.map(({ path }) => path);
    this.#modules = moduleNames(paths, project.manifests);
  }

  /** Makes the nodes of a file. */
  add(file: Omit<IndexedFile, 'module'>, times: { readonly indexed_at: string }): void {
    const { path } = file.file;
    const module = this.#modules.get(path) ?? '';
    this.#given.set(path, module);
    for (const node of fileNodes({ ...file, module }, times)) this.#waiting.push(node);
  }

  /** What was made since this was last called. */
  take(): NodeDraft[] {
    const nodes = this.#waiting;
    this.#waiting = [];
    return nodes;
  }

  /** Whether a file has its nodes, under this name of its module. */
  has(path: string, module: string): boolean {
    return this.#given.get(path) === module;
  }
}
