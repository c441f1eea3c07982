import { realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { defaultRoot } from '../source/index.js';
import { hasLevelStore } from '../storage/index.js';
import { isRecorded } from './eligible.js';
import { type HomeOptions, hasCodeGraph, homesOf } from './surroundings.js';

/** A walker's own field of this name is the root of the call: faces fill it in, as the checked path. */
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

/** A root that somebody named and that may have vanished: its real path, else as it was named. @param path absolute. */
export function knownRoot(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

/** Whether a root has a graph: of its code, or of what was done in it. @param root A real path. */
export function hasGraph(root: string, options: HomeOptions): boolean {
  const homes = homesOf(root, options);
  return hasLevelStore(homes.derived) || hasLevelStore(homes.durable);
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

/** The deepest indexed root above a root; null where there is none (ruling X-33). */
export function enclosingRootOf(root: string, options: HomeOptions = {}): string | null {
  return indexedFrom(dirname(root), options).find((folder) => folder !== root) ?? null;
}

/** The projects at or above a folder that have a graph, the deepest first. */
function indexedFrom(folder: string, options: HomeOptions): string[] {
  return foldersUpFrom(folder).filter((one) => hasCodeGraph(one, options) && isRecorded(one, options));
}

/** The folder itself first. */
function foldersUpFrom(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [path, ...foldersUpFrom(above)];
}
