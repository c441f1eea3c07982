import { fileURLToPath } from 'node:url';
import { projectRootOf, userHome } from '../host/index.js';
import { checkRoot } from '../source/index.js';

/** What decides which project a call is about. */
export interface RootSources {
  /** Of `--root`; null: none. */
  readonly root: string | null;
  /** The client's workspace folders, as URIs, the first one first; empty when it tells none. */
  readonly clientRoots: () => Promise<readonly string[]>;
  /** The server's own working directory. */
  readonly cwd: string;
  readonly home: string | undefined;
  readonly force: boolean;
}

/**
 * The root of a call (ruling X-33), checked: what the call says, else `--root`, else the project of the client's first
 * root, else that of the working directory.
 *
 * @param given `project_root`: must be absolute, since the client's working directory is not ours.
 * @throws CodewalkError `INVALID_ROOT`, `ROOT_REFUSED`.
 */
export async function callRoot(given: string | undefined, sources: RootSources): Promise<string> {
  const path = given ?? sources.root ?? (await surroundingRoot(sources));
  return checkRoot(path, {
    mustBeAbsolute: true,
    force: sources.force,
    cwd: sources.cwd,
    home: userHome(),
  });
}

async function surroundingRoot({ clientRoots, cwd, home }: RootSources): Promise<string> {
  const [first] = (await clientRoots()).flatMap(pathsOfUri);
  return projectRootOf(first ?? cwd, { home });
}

function pathsOfUri(uri: string): string[] {
  try {
    return [fileURLToPath(uri)];
  } catch {
    // A workspace that is not on this machine.
    return [];
  }
}
