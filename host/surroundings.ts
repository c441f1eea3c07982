import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CodewalkError } from '../schema/index.js';
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
  /** The user's home folder; empty: there is none. */
  readonly userHome: string;
}

/** Where graphs are stored, as in `OpenOptions`. */
export interface HomeOptions {
  /** Default: `GRAPHS_HOME`, else `~/.graphs`. */
  readonly home?: string | undefined;
  /** Default: those of this process. */
  readonly surroundings?: Surroundings;
}

/**
 * The user's home folder, absolute; empty where there is none: a container's user may be in no list of users. An empty
 * `HOME` is none, as for `codewalk-record`: only where there is no `HOME` at all the system is asked.
 */
export function userHome(): string {
  const { HOME } = process.env;
  try {
    const home = process.platform === 'win32' || HOME === undefined ? homedir() : HOME;
    return isAbsolute(home) ? home : '';
  } catch {
    return '';
  }
}

/**
 * The working directory of this process, absolute.
 *
 * @throws CodewalkError `INVALID_ROOT` when it was removed.
 */
export function workingDirectory(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new CodewalkError('INVALID_ROOT', 'the working directory is not there any more', {
      suggestion: 'Change to a folder that exists.',
      cause,
    });
  }
}

/** The surroundings of this process: the one place of the host and of all below it that reads them. */
export function processSurroundings(): Surroundings {
  return { cwd: workingDirectory(), env: process.env, userHome: userHome() };
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

/** The configuration file: one for all projects, in the folder of all graphs. A repository cannot configure us. */
export function configFile(options: HomeOptions = {}): string {
  return join(graphsFolderOf(options), 'config.json');
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
