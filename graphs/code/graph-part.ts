import type { EdgeDraft, EdgeType, NodeDraft, PropsInput } from '../../runtime/index.js';
import {
  append,
  DirContainsDir,
  DirContainsFile,
  Directory,
  directoryId,
  fileId,
  knownEdge,
  PROJECT_ID,
  Project,
  ProjectContainsDir,
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
