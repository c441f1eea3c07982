import { CodewalkError } from '../../schema/index.js';
import { checkRoot, platformOf } from '../../source/index.js';
import { settingsFor } from '../config.js';
import { isRecorded } from '../eligible.js';
import { projectRootOf } from '../project-root.js';
import type { HomeOptions, Surroundings } from '../surroundings.js';
import type { EntryLabel } from './entry.js';

/** Why events of a root are not recorded, by rule: their files are removed, and counted. */
export type Declined =
  /** Neither a work tree of git nor a folder with a manifest, and nobody indexed it (C-02). */
  | 'ineligible'
  /** A whole disk or a home directory (P-05). */
  | 'root-refused'
  /** The user paused recording in this project. */
  | 'paused'
  /** It was set aside, and others that came later need its room. */
  | 'pushed-out';

/** The root that events belong to, or why they are not recorded. */
export type RootVerdict = { readonly root: string } | { readonly declined: Declined } | 'root-gone';

/** Decides where events belong, by what their labels say. */
export function eventRoot(
  { place, path }: Pick<EntryLabel, 'place' | 'path'>,
  options: HomeOptions & { readonly home: string; readonly surroundings: Surroundings },
): RootVerdict {
  const { cwd, userHome } = options.surroundings;
  let root: string;
  try {
    root = checkRoot(place === 'root' ? path : projectRootOf(path, options), {
      mustBeAbsolute: true,
      platform: platformOf(),
      home: userHome,
      cwd,
    });
  } catch (thrown) {
    if (!(thrown instanceof CodewalkError)) throw thrown;
    return thrown.code === 'ROOT_REFUSED' ? { declined: 'root-refused' } : 'root-gone';
  }
  if (settingsFor(root, options).paused) return { declined: 'paused' };
  return isRecorded(root, options) ? { root } : { declined: 'ineligible' };
}
