import type { NodeDraft, StepsContext } from '../../runtime/index.js';
import { File, fileId } from '../../schema/index.js';
import { type DiscoveredFile, moduleNames } from '../../source/index.js';
import type { Link } from './code-graph.js';
import { type IndexedFile, type OwnPart, ownPart } from './own-part.js';
import type { Scope } from './scope.js';
import { putLinks, putNodes } from './turn.js';

/** The nodes of files of which no more is known than that they are to come. */
export function expectedFiles(files: readonly DiscoveredFile[]): NodeDraft[] {
  return files.map(({ path, language }) =>
    File({ path, name: path.slice(path.lastIndexOf('/') + 1), language }, { id: fileId(path) }),
  );
}

/** A file's own part; of one that none can be made of, that it is there. */
function partOf(indexed: IndexedFile, times: { readonly indexed_at: string }): OwnPart {
  try {
    return ownPart(indexed, times);
  } catch {
    return ownPart({ ...indexed, facts: null }, times);
  }
}

/**
 * The own parts of the files of a first run, which are written while other files are being extracted: they follow
 * from a file alone, but for the name of its module in its nodes. That is what it will be if no file is lost on the way.
 */
export class EarlyParts {
  readonly #modules: ReadonlyMap<string, string>;
  /** By path: the name of the module that it was given, and the part, where parts are kept. */
  readonly #made = new Map<string, { readonly module: string; readonly own: OwnPart | undefined }>();
  #nodes: NodeDraft[] = [];
  #links: Link[] = [];

  /** @param kept Whether the parts stay in memory, for what is made of them. */
  constructor(
    { files, project }: Scope,
    private readonly kept: boolean,
  ) {
    const paths = files.map(({ path }) => path);
    this.#modules = moduleNames(paths, project.manifests);
  }

  /** Makes the own part of a file. */
  add(file: Omit<IndexedFile, 'module'>, times: { readonly indexed_at: string }): void {
    const { path } = file.file;
    const module = this.#modules.get(path) ?? '';
    const own = partOf({ ...file, module }, times);
    this.#made.set(path, { module, own: this.kept ? own : undefined });
    for (const node of own.nodes) this.#nodes.push(node);
    for (const one of own.links) this.#links.push(one);
  }

  /** Writes what was made since this was last called. */
  async write(context: StepsContext): Promise<void> {
    const [nodes, links] = [this.#nodes, this.#links];
    this.#nodes = [];
    this.#links = [];
    await putNodes(context, nodes);
    await putLinks(context, links);
  }

  /** Whether a file has its nodes, under this name of its module. */
  has(path: string, module: string): boolean {
    return this.#made.get(path)?.module === module;
  }

  /** The own part of a file under this name of its module; undefined where it is not kept. */
  of(path: string, module: string): OwnPart | undefined {
    return this.has(path, module) ? this.#made.get(path)?.own : undefined;
  }
}
