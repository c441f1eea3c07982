import { z } from 'zod';
import {
  compareText,
  type EdgeDraft,
  type EdgeType,
  type NodeDraft,
  type PropsInput,
} from '../../runtime/index.js';
import {
  append,
  Concept,
  conceptId,
  DirContainsDir,
  DirContainsFile,
  Directory,
  directoryId,
  ExternalPackage,
  fileId,
  knownEdge,
  knownNode,
  PROJECT_ID,
  Project,
  ProjectContainsDir,
  packageId,
  stubId,
  Unresolved,
} from '../../schema/index.js';
import { languageOf } from '../../source/index.js';

/** One edge that should be in the graph, between ids. */
export interface Link {
  readonly from: string;
  readonly to: string;
  readonly edge: EdgeDraft;
}

/** A part of the code graph as it should be: what one file contributes, or a folder, or the project. */
export interface GraphPart {
  /** Each has an id. */
  readonly nodes: readonly NodeDraft[];
  /** Out-edges of the part's own nodes; unique per (type, from, to). */
  readonly links: readonly Link[];
}

/** A link, typed by its edge's archetype. */
export function link<E extends EdgeType>(from: string, type: E, to: string, props?: PropsInput<E>): Link {
  return { from, to, edge: knownEdge(type, props) };
}

/** The folder that a root-relative path stands in; the root is `''`, and in itself. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The folders that hold files, at any depth; the root is always among them. */
export function directoriesOf(paths: Iterable<string>): Set<string> {
  const directories = new Set(['']);
  for (const path of paths)
    for (let at = parentOf(path); !directories.has(at); at = parentOf(at)) directories.add(at);
  return directories;
}

/** The Project node, and that the root folder is in it. */
export function projectPart(name: string, root: string | null): GraphPart {
  return {
    nodes: [Project({ name, root_path: root }, { id: PROJECT_ID })],
    links: [link(PROJECT_ID, ProjectContainsDir, directoryId(''))],
  };
}

/** Whether a file makes its folder a package. */
export function isPackageFile(path: string): boolean {
  return languageOf(path)?.isPackageFile?.(path) ?? false;
}

/**
 * The parts of folders: each with the files and folders that it holds.
 *
 * @param modules The qualified name of every file's module, by path, in path order.
 * @param wanted The folders to make parts of; those that hold nothing have none.
 */
export function directoryParts(
  modules: ReadonlyMap<string, string>,
  wanted: ReadonlySet<string>,
): GraphPart[] {
  const links = new Map<string, Link[]>();
  const packages = new Map<string, string>();
  for (const [path, module] of modules) {
    const parent = parentOf(path);
    if (!wanted.has(parent)) continue;
    append(links, parent, link(directoryId(parent), DirContainsFile, fileId(path)));
    if (isPackageFile(path) && !packages.has(parent)) packages.set(parent, module);
  }
  const directories = directoriesOf(modules.keys());
  for (const directory of directories) {
    const parent = parentOf(directory);
    if (directory !== '' && wanted.has(parent))
      append(links, parent, link(directoryId(parent), DirContainsDir, directoryId(directory)));
  }
  return [...wanted]
    .filter((path) => directories.has(path))
    .sort()
    .map((path) => {
      const name = path === '' ? '.' : path.slice(path.lastIndexOf('/') + 1);
      const props = { path, name, qualified_name: packages.get(path) ?? '', is_package: packages.has(path) };
      return { nodes: [Directory(props, { id: directoryId(path) })], links: links.get(path) ?? [] };
    });
}

/** A node that belongs to no single file: there as long as some file brings it. */
export const SharedNode = z.discriminatedUnion('as', [
  z.object({
    as: z.literal('package'),
    name: z.string(),
    ecosystem: z.string().nullable(),
    stdlib: z.boolean(),
  }),
  z.object({
    as: z.literal('stub'),
    name: z.string(),
    package: z.string().nullable(),
    qualified_name: z.string(),
  }),
  z.object({ as: z.literal('todo'), label: z.string(), description: z.string() }),
]);
export type SharedNode = z.infer<typeof SharedNode>;

/** Archetypes of shared nodes: what no file brings any more is found among them. */
export const SHARED_TYPES = [ExternalPackage, Unresolved, Concept] as const;

/** Concepts of commits and people are not brought by files. */
export function isSharedId(id: string): boolean {
  return !id.startsWith('concept:') || id.startsWith(conceptId('todo', ''));
}

/** The id of a shared node. */
export function sharedId(node: SharedNode): string {
  switch (node.as) {
    case 'package':
      return packageId(node.name);
    case 'stub':
      return stubId(node.qualified_name);
    case 'todo':
      return conceptId('todo', node.label);
  }
}

/** A shared node as the graph has it. */
export function sharedDraft(node: SharedNode): NodeDraft {
  const id = sharedId(node);
  switch (node.as) {
    case 'package':
      return knownNode(ExternalPackage, { ...node, qualified_name: node.name }, id);
    case 'stub':
      return knownNode(Unresolved, node, id);
    case 'todo':
      return knownNode(Concept, { ...node, source: 'todo' }, id);
  }
}

/**
 * The shared nodes of a project, by id, with how many files bring each. Files may bring a node in several forms (a
 * package that two languages know): the fullest is the one that counts, whichever came first.
 */
export class SharedNodes {
  /** How many files bring each form of a node. */
  readonly #forms = new Map<string, Map<string, { readonly node: SharedNode; files: number }>>();
  /** What nodes that were touched since {@link SharedNodes.takeChanged} had been like. */
  readonly #before = new Map<string, string>();

  /** One more file brings this node; with -1 one less. */
  count(node: SharedNode, sign: 1 | -1): void {
    const id = sharedId(node);
    if (!this.#before.has(id)) this.#before.set(id, JSON.stringify(this.get(id)));
    const forms = this.#forms.get(id) ?? new Map<string, { node: SharedNode; files: number }>();
    this.#forms.set(id, forms);
    const key = JSON.stringify(node);
    const form = forms.get(key) ?? { node, files: 0 };
    forms.set(key, form);
    form.files += sign;
    if (form.files === 0) forms.delete(key);
    if (forms.size === 0) this.#forms.delete(id);
  }

  /** The node of an id as it should be; null when no file brings it. */
  get(id: string): SharedNode | null {
    const forms = [...(this.#forms.get(id)?.values() ?? [])].map(({ node }) => node);
    forms.sort((a, b) => fullness(b) - fullness(a) || compareText(JSON.stringify(a), JSON.stringify(b)));
    return forms[0] ?? null;
  }

  ids(): Iterable<string> {
    return this.#forms.keys();
  }

  /** The ids of nodes that are not what they were when this was last called. */
  takeChanged(): string[] {
    const changed = [...this.#before].filter(([id, before]) => JSON.stringify(this.get(id)) !== before);
    this.#before.clear();
    return changed.map(([id]) => id);
  }
}

/** How much a form knows. */
function fullness(node: SharedNode): number {
  if (node.as === 'package') return node.ecosystem === null ? 0 : 1;
  return node.as === 'stub' && node.package !== null ? 1 : 0;
}
