import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { CodewalkError } from '../../schema/index.js';
import { isFolder } from '../folders.js';

/** Bytes that the path of a Unix socket has room for, on the narrowest system. */
const LONGEST_PATH = 103;

/**
 * Where the daemon of a home listens: a socket in a folder that only the user can enter, or a named pipe on Windows.
 * The path is short however deep the home lies. All that differs between platforms is here.
 *
 * @param home The real path of the folder of all graphs.
 * @param place 0 usually; 1, 2, … where a stranger listens on the one before.
 * @throws CodewalkError `DAEMON_FAILED` when the socket's folder is not the user's own.
 */
export function daemonAddress(home: string, place = 0): string {
  const name =
    createHash('sha256').update(home).digest('hex').slice(0, 16) + (place === 0 ? '' : `-${place}`);
  if (process.platform === 'win32') return `\\\\.\\pipe\\codewalk-${userInfo().username}-${name}`;
  const { uid } = userInfo();
  for (const base of [process.env.XDG_RUNTIME_DIR, tmpdir(), '/tmp']) {
    if (base === undefined || !isFolder(base)) continue;
    const folder = join(base, `codewalk-${uid}`);
    const path = join(folder, `${name}.sock`);
    if (Buffer.byteLength(path) > LONGEST_PATH) continue;
    makeOwn(folder, uid);
    return path;
  }
  throw new CodewalkError('DAEMON_FAILED', `there is no folder for the daemon's socket`, {
    input: tmpdir(),
    suggestion: 'Set TMPDIR to a folder with a short path, or use --embedded.',
  });
}

/** Makes the folder, and refuses one that others made or may enter. */
function makeOwn(folder: string, uid: number): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw notOurs(folder, error);
  }
  const status = lstatSync(folder);
  if (!status.isDirectory() || status.uid !== uid || (status.mode & 0o077) !== 0) throw notOurs(folder);
}

function notOurs(folder: string, cause?: unknown): CodewalkError {
  return new CodewalkError('DAEMON_FAILED', `the socket's folder ${folder} is not a folder of yours alone`, {
    input: folder,
    suggestion: 'Remove it, or set TMPDIR to a folder of your own, or use --embedded.',
    cause,
  });
}
