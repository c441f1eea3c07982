import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import type { Profile } from '../../schema/index.js';

/** Where our programs are, by paths that hold after an update. */
export interface Programs {
  /** The folder of the built package; absolute. */
  readonly dist: string;
  readonly node: string;
  /** Where graphs are stored, if that is not the default: an agent that starts our programs may not know it. */
  readonly home: string | null;
  readonly version: string;
  /** The profiles of the server; left out: the default one. */
  readonly profiles?: readonly Profile[];
}

/**
 * The path of a folder of this package that leads there after an update, too: some package managers keep it in a folder
 * that names the version, and a link to it in a `node_modules` above.
 *
 * @param folder In the package; as it runs, so a real path.
 */
export function lastingPath(folder: string): string {
  const own = dirname(folder);
  const above = ancestorsOf(own).reverse();
  const link = above.map((at) => join(at, 'node_modules', 'codewalk')).find((path) => realOf(path) === own);
  return link === undefined ? folder : join(link, folder.slice(own.length));
}

/**
 * The path of Node that leads to one after an update, too: the one that the user calls, where that is a link to the one
 * that runs. Some managers of versions make such links for one session only.
 *
 * @param running A real path.
 * @param path The variable PATH.
 */
export function lastingNode(running: string, path: string): string {
  const real = realOf(running);
  const called = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !folder.includes('multishells'))
    .map((folder) => join(folder, 'node'))
    .find((file) => realOf(file) === real);
  return called ?? running;
}

function ancestorsOf(path: string): string[] {
  const parent = dirname(path);
  return parent === path ? [] : [parent, ...ancestorsOf(parent)];
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** What ends the name of a program. */
const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', ''] : [''];

/** Whether a command is found by its name. @param path The variable PATH. */
export function isOnPath(command: string, path: string): boolean {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .some((folder) => ENDINGS.some((ending) => isProgram(join(folder, `${command}${ending}`))));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
