import { compareText, type NodeDraft } from '../../../runtime/index.js';
import {
  Concept,
  DirContainsDir,
  DirContainsFile,
  Directory,
  directoryId,
  ExternalPackage,
  fileId,
  PROJECT_ID,
  Project,
  ProjectContainsDir,
  Unresolved,
} from '../../../schema/index.js';
import { languageOf } from '../../../source/index.js';
import { type GraphPart, type Link, link } from './code-graph.js';
import type { FilePart } from './file-part.js';

/** Archetypes whose nodes belong to no single file: what is not wanted any more is found among them. */
export const SHARED_TYPES = [Project, Directory, ExternalPackage, Unresolved, Concept] as const;

/**
 * What the files of a project share: the tree of directories, packages, stubs and concepts.
 *
 * @param modules The qualified name of every file's module, by path, in path order.
 */
export function sharedPart(
  project: { name: string; root: string | null },
  modules: ReadonlyMap<string, string>,
  parts: Iterable<FilePart>,
): GraphPart {
  const nodes = new Map<string, NodeDraft>();
  nodes.set(PROJECT_ID, Project({ name: project.name, root_path: project.root }, { id: PROJECT_ID }));
  const tree = directoryTree(modules);
  for (const node of tree.nodes) nodes.set(node.id ?? '', node);
  for (const { packages, stubs, concepts } of parts) {
    for (const [id, node] of packages) nodes.set(id, node);
    for (const [id, node] of concepts) nodes.set(id, node);
    for (const [id, { name, package: from, qualified_name }] of stubs)
      if (!nodes.has(id)) nodes.set(id, Unresolved({ name, package: from, qualified_name }, { id }));
  }
  const sorted = [...nodes.values()].sort((a, b) => compareText(a.id ?? '', b.id ?? ''));
  return { nodes: sorted, links: [link(PROJECT_ID, ProjectContainsDir, directoryId('')), ...tree.links] };
}

function directoryTree(modules: ReadonlyMap<string, string>): { nodes: NodeDraft[]; links: Link[] } {
  const directories = new Set(['']);
  const packages = new Map<string, string>();
  const links: Link[] = [];
  for (const [path, module] of modules) {
    const parent = parentOf(path);
    links.push(link(directoryId(parent), DirContainsFile, fileId(path)));
    if (languageOf(path)?.isPackageFile?.(path) && !packages.has(parent)) packages.set(parent, module);
    for (let directory = parent; !directories.has(directory); directory = parentOf(directory)) {
      directories.add(directory);
      links.push(link(directoryId(parentOf(directory)), DirContainsDir, directoryId(directory)));
    }
  }
  const nodes = [...directories].sort().map((path) => {
    const name = path === '' ? '.' : path.slice(path.lastIndexOf('/') + 1);
    const props = { path, name, qualified_name: packages.get(path) ?? '', is_package: packages.has(path) };
    return Directory(props, { id: directoryId(path) });
  });
  return { nodes, links };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
