import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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
