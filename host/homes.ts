import { homedir } from 'node:os';
import { type ProjectHomes, projectHomes } from '../storage/index.js';

/** The folders of a root's stores; `home` goes before `GRAPHS_HOME` of the environment. */
export function homesOf(root: string, home: string | undefined): ProjectHomes {
  const env = home === undefined ? process.env : { ...process.env, GRAPHS_HOME: home };
  return projectHomes(root, { env, userHome: homedir() });
}
