import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { checkRoot, defaultRoot, gitTop, isManifest, platformOf } from '../source/index.js';
import { hasLevelStore } from '../storage/index.js';
import { entriesOf, realPath } from './files.js';
import { projectFolder, readProjectFile } from './projects/project-list.js';
import {
  type HomeOptions,
  hasCodeGraph,
  homesOf,
  processSurroundings,
  type Surroundings,
} from './surroundings.js';

/** A walker's own field of this name is the root of the call: interfaces fill it in, as the checked path. */
export const ROOT_FIELD = 'project_root';

/**
 * The root of a project where nobody gave one explicitly (ruling X-33): the deepest project at or above `path` that
 * has a graph, else the git top level, else the path itself.
 *
 * @param path absolute.
 */
export function projectRootOf(path: string, options: HomeOptions = {}): string {
  return defaultRoot(path, { indexedRoots: indexedFrom(realFolder(path), options) });
}

/** The deepest indexed root above a root; null where there is none (ruling X-33). */
export function enclosingRootOf(root: string, options: HomeOptions = {}): string | null {
  return indexedFrom(dirname(root), options).find((folder) => folder !== root) ?? null;
}

/** A root that somebody named and that may have vanished: its real path, else as it was named. @param path absolute. */
export function knownRoot(path: string): string {
  return realPath(path) ?? path;
}

/** Whether a root has a graph: of its code, or of what was done in it. @param root A real path. */
export function hasGraph(root: string, options: HomeOptions): boolean {
  const homes = homesOf(root, options);
  return hasLevelStore(homes.derived) || hasLevelStore(homes.durable);
}

/**
 * Whether a root is a project that is indexed, and recorded, without a request (spec C-02): it is not too wide
 * (P-05), and it is in a git work tree or has a manifest of its language. A home directory that is a work tree says
 * nothing of what is in it.
 */
export function isEligible(
  root: string,
  { userHome }: Pick<Surroundings, 'userHome'> = processSurroundings(),
): boolean {
  const top = gitTop(root, platformOf());
  if (!isNarrow(root, userHome)) return false;
  return (top !== null && isNarrow(top, userHome)) || hasManifest(root);
}

/** Whether what agents do in a root is recorded, unless it is paused: it is eligible, or somebody indexed it. */
export function isRecorded(root: string, options: HomeOptions = {}): boolean {
  if (isEligible(root, options.surroundings)) return true;
  // A graph that was never indexed holds what a command logged or stored there.
  return (
    hasCodeGraph(root, options) && readProjectFile(projectFolder(homesOf(root, options)))?.index !== null
  );
}

/** Whether a root is the top of a git work tree, or has a manifest of its language. @param root Its real path. */
export function isOwnProject(root: string): boolean {
  return gitTop(root, platformOf()) === root || hasManifest(root);
}

function isNarrow(root: string, home: string): boolean {
  try {
    checkRoot(root, { mustBeAbsolute: true, home, cwd: root });
    return true;
  } catch {
    return false;
  }
}

function hasManifest(root: string): boolean {
  return entriesOf(root).some(({ name }) => isManifest(name));
}

function realFolder(path: string): string {
  try {
    const real = realpathSync(path);
    return statSync(real).isDirectory() ? real : dirname(real);
  } catch (error) {
    // What has vanished belongs where its nearest folder does; `defaultRoot` reports any other reason.
    if (dirname(path) === path) throw error;
    return realFolder(dirname(path));
  }
}

/** The projects at or above a folder that have a graph, the deepest first. */
function indexedFrom(folder: string, options: HomeOptions): string[] {
  const above = dirname(folder) === folder ? [] : indexedFrom(dirname(folder), options);
  return hasCodeGraph(folder, options) && isRecorded(folder, options) ? [folder, ...above] : above;
}
