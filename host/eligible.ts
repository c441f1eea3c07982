import { checkRoot, gitTop, isManifest, platformOf } from '../source/index.js';
import { entriesOf } from './folders.js';
import { projectFolder, readProjectFile } from './projects/project-file.js';
import {
  type HomeOptions,
  hasCodeGraph,
  homesOf,
  processSurroundings,
  type Surroundings,
} from './surroundings.js';

/**
 * Whether a root is a project that is indexed, and recorded, without being told to (spec C-02): it is not too wide
 * (P-05), and it is in a git work tree or has a manifest of its language. A home directory that is a work tree says
 * nothing of what is in it.
 *
 * @param root Its real path.
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
  return isEligible(root, options.surroundings) || isIndexed(root, options);
}

/** A graph that was never indexed holds what a command logged or stored there. Earlier versions noted no index. */
function isIndexed(root: string, options: HomeOptions): boolean {
  if (!hasCodeGraph(root, options)) return false;
  return readProjectFile(projectFolder(homesOf(root, options)))?.index !== null;
}

function isNarrow(root: string, home: string): boolean {
  try {
    checkRoot(root, { mustBeAbsolute: true, home, cwd: root });
    return true;
  } catch {
    return false;
  }
}

/** Whether a root is the top of a git work tree, or has a manifest of its language. @param root Its real path. */
export function isOwnProject(root: string): boolean {
  return gitTop(root, platformOf()) === root || hasManifest(root);
}

function hasManifest(root: string): boolean {
  return entriesOf(root).some(({ name }) => isManifest(name));
}
