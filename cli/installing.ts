/**
 * What commands about agents' settings use. They import this late, and the build makes a bundle of it: it needs nothing
 * of the engine.
 */
import { fileURLToPath } from 'node:url';
import { lastingNode, lastingPath, type Machine, type Programs } from '../hooks/index.js';
import { graphsFolderOf, packageVersion, userHome } from '../host/index.js';
import { noHome } from '../schema/index.js';

export {
  AGENTS,
  agentNamed,
  entriesOf,
  examineClients,
  hookCommands,
  install,
  installedProfiles,
  isOnPath,
  runHook,
  serverConfig,
  uninstall,
} from '../hooks/index.js';
export { graphsFolderOf, homeSizes, purgeHome, stopDaemon, userHome } from '../host/index.js';

/**
 * This machine, as installers see it.
 *
 * @throws CodewalkError `NO_HOME`
 */
export function thisMachine(cwd: string): Machine {
  if (userHome() === '') throw noHome();
  return { env: process.env, userHome: userHome(), cwd };
}

/** The programs of this package, for whoever starts them later and knows nothing of our environment. */
export function ownPrograms(home: string | undefined): Programs {
  const moved = home !== undefined || Boolean(process.env.GRAPHS_HOME);
  // One folder below the package, built or not.
  const dist = fileURLToPath(new URL('../dist', import.meta.url));
  return {
    dist: lastingPath(dist),
    node: lastingNode(process.execPath, process.env.PATH ?? ''),
    home: moved ? graphsFolderOf({ home }) : null,
    version: packageVersion(),
  };
}
