import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import {
  graphsFolder,
  type HomesOptions,
  hasLevelStore,
  homesUnder,
  type ProjectHomes,
  projectHomes,
} from '../storage/index.js';

/** What the host knows of the process that it runs in. */
export interface Surroundings {
  /** What a relative root is relative to; absolute. */
  readonly cwd: string;
  /** Environment: `GRAPHS_HOME` moves the home of all graphs. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder. */
  readonly userHome: string;
}

/** Where graphs are kept, as in `OpenOptions`. */
export interface HomeOptions {
  /** Default: `GRAPHS_HOME`, else `~/.graphs`. */
  readonly home?: string | undefined;
  /** Default: those of this process. */
  readonly surroundings?: Surroundings;
}

/** The user's home folder, absolute. An empty `HOME` counts as unset: a graph must not land in the working directory. */
export function userHome(): string {
  return homedir() || userInfo().homedir;
}

/** The surroundings of this process: the one place of the host and of all below it that reads them. */
export function processSurroundings(): Surroundings {
  return { cwd: process.cwd(), env: process.env, userHome: userHome() };
}

/** The folders of a root's stores; `home` goes before `GRAPHS_HOME` of the environment. */
export function homesOf(root: string, options: HomeOptions): ProjectHomes {
  return projectHomes(root, whereOf(options));
}

/** Whether a root has a graph of its code. @param root A real path. */
export function hasCodeGraph(root: string, options: HomeOptions): boolean {
  return hasLevelStore(homesUnder(graphsFolderOf(options), root, root).derived);
}

/** The folder of all graphs. It need not be there. */
export function graphsFolderOf(options: HomeOptions): string {
  return graphsFolder(whereOf(options));
}

function whereOf({ home, surroundings = processSurroundings() }: HomeOptions): HomesOptions {
  const { env, userHome } = surroundings;
  // Of the environment nothing else is looked at, and a copy of all of it takes time.
  return { env: home === undefined ? env : { GRAPHS_HOME: home }, userHome };
}

/** The folder of a root in which a watcher's fences are put up: of ours, on this machine. */
export function cookiesOf(root: string, options: HomeOptions): string {
  return join(dirname(homesOf(root, options).derived), 'fence');
}
