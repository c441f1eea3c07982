import type { StepsContext } from '../../runtime/index.js';
import { Directory, directoryId, File, parseId } from '../../schema/index.js';
import { languageOf } from '../../source/index.js';
import type { GraphPart } from './code-graph.js';
import { directoryParts, parentOf, projectPart } from './directory-parts.js';
import type { GraphChanges } from './graph-writer.js';
import type { ProjectIndex } from './project-index.js';
import { isSharedId, SHARED_TYPES, sharedDraft } from './shared-nodes.js';

/** What a run found out, for what the graph has to become. */
export interface Findings {
  /** New parts of files that are another than what was written. */
  readonly files: ReadonlyMap<string, GraphPart>;
  /** Files that came or went. */
  readonly moved: Iterable<string>;
  /** Files whose module has another name. */
  readonly renamed: Iterable<string>;
  readonly removed: readonly string[];
  readonly projectChanged: boolean;
  /** Whether all is new, or nothing that is stored is to be taken for granted. */
  readonly whole: boolean;
}

/** What has to change in the graph, so that it is what the index says. */
export async function graphChanges(
  context: StepsContext,
  index: ProjectIndex,
  { files, moved, renamed, removed, projectChanged, whole }: Findings,
): Promise<GraphChanges> {
  const there = index.directories();
  const touched = whole
    ? new Set([...there, ...(await storedDirectories(context))])
    : new Set([...foldersAbove(moved), ...[...renamed].filter(isPackageFile).map(parentOf)]);
  const stray = whole ? [...index.shared.ids(), ...(await storedShared(context))] : [];
  const shared = sharedChanges(index, stray);
  const others = directoryParts(index.modules(), touched);
  if (whole || projectChanged) others.unshift(projectPart(projectName(index), context.projectRoot));
  return {
    files,
    others,
    shared: shared.shared,
    gone: whole ? [...removed, ...(await strayFiles(context, index))] : removed,
    goneNodes: [...[...touched].filter((path) => !there.has(path)).map(directoryId), ...shared.goneNodes],
  };
}

/**
 * What has to change among the nodes that files share, since this was last asked.
 *
 * @param more Ids of others that may not be as they should.
 */
export function sharedChanges(
  { shared }: ProjectIndex,
  more: Iterable<string> = [],
): Pick<GraphChanges, 'shared' | 'goneNodes'> {
  const ids = [...new Set([...shared.takeChanged(), ...more])].sort();
  return {
    shared: ids.flatMap((id) => {
      const node = shared.get(id);
      return node ? [sharedDraft(node)] : [];
    }),
    goneNodes: ids.filter((id) => shared.get(id) === null),
  };
}

function projectName({ project }: ProjectIndex): string {
  const root = project.manifests.find(({ directory, name }) => directory === '' && name !== null);
  return root?.name ?? '';
}

function isPackageFile(path: string): boolean {
  return languageOf(path)?.isPackageFile?.(path) ?? false;
}

function foldersAbove(paths: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    let at = parentOf(path);
    for (; at !== '' && !folders.has(at); at = parentOf(at)) folders.add(at);
    folders.add(at);
  }
  return folders;
}

/** Files that the graph has and the index has not: a run that was cut off left them. */
async function strayFiles(context: StepsContext, { states }: ProjectIndex): Promise<string[]> {
  const paths = (await context.findIds(File)).map((id) => parseId(id)?.path ?? '');
  return paths.filter((path) => !states.has(path));
}

async function storedDirectories(context: StepsContext): Promise<string[]> {
  return (await context.findIds(Directory)).map((id) => id.slice(directoryId('').length));
}

async function storedShared(context: StepsContext): Promise<string[]> {
  const ids: string[] = [];
  for (const type of SHARED_TYPES)
    for (const id of await context.findIds(type)) if (isSharedId(id)) ids.push(id);
  return ids;
}
