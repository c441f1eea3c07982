import { closeSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { CodewalkError } from '../../schema/index.js';

/** What the system's codes say of a file that cannot be written. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
};

/**
 * Writes a file that gets its name only when all is there: until then it stands beside it, under a temporary name.
 * Where the body throws, the file is as it was before.
 *
 * @param body is given what writes text; what it answers is the answer.
 * @throws CodewalkError `INVALID_INPUT` when the file cannot be written; before the body runs where that shows.
 */
export async function newFile<T>(
  path: string,
  body: (write: (text: string) => void) => Promise<T>,
): Promise<T> {
  const temporary = `${path}.${process.pid}.tmp`;
  const handle = writing(path, () => openSync(temporary, 'w'));
  try {
    const answer = await body((text) => writing(path, () => writeFileSync(handle, text)));
    writing(path, () => renameSync(temporary, path));
    return answer;
  } finally {
    closeSync(handle);
    rmSync(temporary, { force: true });
  }
}

function writing<T>(path: string, step: () => T): T {
  try {
    return step();
  } catch (cause) {
    const { code = '' }: { code?: string } = Object(cause);
    const why = WHY[code] ?? (code || String(cause));
    throw new CodewalkError('INVALID_INPUT', `The file '${path}' cannot be written: ${why}`, {
      input: path,
      suggestion: 'Name a file in a folder that exists and is yours.',
      cause,
    });
  }
}
