import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CodewalkError } from '../../schema/index.js';
import { isFolder } from '../../storage/index.js';

/** Bytes that the path of a Unix socket has room for, on the narrowest system. */
const LONGEST_PATH = 103;

/**
 * Where the daemon of a home listens: a socket in a folder that only the user can enter, or a named pipe on Windows.
 * The path is short however deep the home lies; where others hold its usual place, it is in the home. All that differs
 * between platforms is here.
 *
 * @param home The real path of the folder of all graphs.
 * @param place 0 usually; 1, 2, … where a stranger listens on the one before.
 * @param bases Folders in which the socket's folder may be, the best one first; those that are not there do not count.
 * @throws CodewalkError `DAEMON_FAILED` when there is no folder for it that is the user's own.
 */
export function daemonAddress(
  home: string,
  place = 0,
  bases: readonly (string | undefined)[] = [process.env.XDG_RUNTIME_DIR, tmpdir(), '/tmp'],
): string {
  const name =
    createHash('sha256').update(home).digest('hex').slice(0, 16) + (place === 0 ? '' : `-${place}`);
  const uid = process.getuid?.();
  if (uid === undefined) return `\\\\.\\pipe\\codewalk-${userInfo().username}-${name}`;
  const shared = bases.filter((base) => base !== undefined && isAbsolute(base) && isFolder(base));
  const folders = [...shared.map((base = '') => join(base, `codewalk-${uid}`)), join(home, 'socket')];
  const short = folders.filter((folder) => Buffer.byteLength(join(folder, `${name}.sock`)) <= LONGEST_PATH);
  const own = short.find((folder) => isOwn(folder, uid));
  if (own !== undefined) return join(own, `${name}.sock`);
  const whose = short.map((folder) => `${folder} is not a folder of yours alone`).join(', ');
  throw new CodewalkError(
    'DAEMON_FAILED',
    `there is no folder for the daemon's socket${whose === '' ? '' : `: ${whose}`}`,
    {
      input: folders,
      suggestion: 'Set TMPDIR to a folder of your own with a short path, or use --embedded.',
    },
  );
}

/**
 * Refuses a socket that another user has put there, or could: what is told to it is the user's alone.
 *
 * @throws CodewalkError `DAEMON_FAILED`
 */
export function checkOwnSocket(address: string): void {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const socket = lstatSync(address, { throwIfNoEntry: false });
  if (socket === undefined) return;
  const folder = statSync(dirname(address));
  if (socket.uid === uid && folder.uid === uid && (folder.mode & 0o022) === 0) return;
  const whose = socket.uid === uid ? 'is in a folder that others can change' : `is of the user ${socket.uid}`;
  throw new CodewalkError('DAEMON_FAILED', `the daemon's socket ${address} ${whose}`, {
    input: address,
    suggestion:
      'See that nobody else can write to the folder of all graphs, and remove its daemon.json; or use --embedded.',
  });
}

/** Whether a folder is the user's alone. It is made where it is not there. */
function isOwn(folder: string, uid: number): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // It is there, or cannot be made.
  }
  const status = lstatSync(folder, { throwIfNoEntry: false });
  return status?.isDirectory() === true && status.uid === uid && (status.mode & 0o077) === 0;
}
