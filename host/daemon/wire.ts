import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { CodewalkError } from '../../schema/index.js';
import { isFolder } from '../../storage/index.js';
import { packageVersion } from '../version.js';

/*
 * How a daemon and its clients find and meet each other. Clients load this: it needs no schema.
 */

/** What both sides must speak: a daemon and a client of different protocols do not understand each other. */
const PROTOCOL = 1;
/** Bytes that a line may have. */
const LONGEST_LINE = 256 * 1024 * 1024;
/** Bytes that the path of a Unix socket has room for, on the narrowest system. */
const LONGEST_PATH = 103;

/** What each side says first. */
export interface Hello {
  readonly protocol: number;
  /** Of the package. */
  readonly version: string;
  /** When its files were built, in milliseconds since 1970: of two builds of one version the later one is newer. */
  readonly built: number;
  /** The daemon's process. */
  readonly pid?: number;
}

/** What a daemon leaves in its home, so that clients with another environment find it. */
export interface DaemonRecord extends Hello {
  readonly pid: number;
  readonly address: string;
  /** ISO 8601. */
  readonly started: string;
}

/** What this program says of itself. @param script The daemon's, which is built with everything else. */
export function ownHello(script: URL): Hello {
  const status = statSync(script, { throwIfNoEntry: false });
  // Sources that run as they are were never built.
  return { protocol: PROTOCOL, version: packageVersion(), built: Math.round(status?.mtimeMs ?? 0) };
}

/** Whether `a` is newer than `b`: by version, then by when it was built. */
export function isNewer(a: Hello, b: Hello): boolean {
  const partOf = ({ version }: Hello, at: number) =>
    Number.parseInt(version.split(/[.+-]/u)[at] ?? '', 10) || 0;
  const order = [0, 1, 2].map((at) => partOf(a, at) - partOf(b, at));
  return (order.find((difference) => difference !== 0) ?? a.built - b.built) > 0;
}

/** Calls back with every whole line that comes, in order; a line that is too long ends the connection. */
export function onLines(socket: Socket, hear: (line: string) => void): void {
  let parts: Buffer[] = [];
  let size = 0;
  socket.on('data', (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8');
      parts = [];
      size = 0;
      from = end + 1;
      if (line !== '') hear(line);
    }
    if (from === chunk.length) return;
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > LONGEST_LINE) socket.destroy(new Error('a line is too long'));
  });
}

/** The record of the home's daemon; null where there is none that can be read. Its daemon may be gone. */
export function readRecord(home: string): DaemonRecord | null {
  try {
    const record: Partial<DaemonRecord> = JSON.parse(readFileSync(join(home, 'daemon.json'), 'utf8'));
    const { pid, address, started = '', protocol = 0, version = '', built = 0 } = record;
    if (typeof pid !== 'number' || typeof address !== 'string') return null;
    return { pid, address, started, protocol, version, built };
  } catch {
    return null;
  }
}

/** Writes the record: whole or not at all. */
export function writeRecord(home: string, record: DaemonRecord): void {
  const temporary = join(home, `daemon.json.${record.pid}.tmp`);
  writeFileSync(temporary, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(temporary, join(home, 'daemon.json'));
}

/**
 * Where the daemon of a home (a real path) listens: a socket in a folder that only the user can enter, or a named pipe on
 * Windows. The path is short however deep the home lies; where others hold its usual place, it is in the home. All that
 * differs between platforms is here.
 *
 * @param place 0 usually; 1, 2, … where a stranger listens on the one before.
 * @param bases Folders in which the socket's folder may be, the best one first; those that are not there do not count.
 * @throws CodewalkError `DAEMON_FAILED` when there is no folder for it that is the user's own.
 */
export function daemonAddress(
  home: string,
  place = 0,
  bases: readonly (string | undefined)[] = [process.env.XDG_RUNTIME_DIR, tmpdir(), '/tmp'],
): string {
  const hash = createHash('sha256').update(home).digest('hex').slice(0, 16);
  const name = place === 0 ? hash : `${hash}-${place}`;
  const uid = process.getuid?.();
  if (uid === undefined) return `\\\\.\\pipe\\codewalk-${userInfo().username}-${name}`;
  const shared = bases.flatMap((base) =>
    base !== undefined && isAbsolute(base) && isFolder(base) ? [join(base, `codewalk-${uid}`)] : [],
  );
  const folders = [...shared, join(home, 'socket')];
  const short = folders.filter((folder) => Buffer.byteLength(join(folder, `${name}.sock`)) <= LONGEST_PATH);
  const own = short.find((folder) => isOwn(folder, uid));
  if (own !== undefined) return join(own, `${name}.sock`);
  const whose = short.map((folder) => `${folder} is not a folder of yours alone`).join(', ');
  const what = `there is no folder for the daemon's socket${whose === '' ? '' : `: ${whose}`}`;
  throw new CodewalkError('DAEMON_FAILED', what, {
    input: folders,
    suggestion: 'Set TMPDIR to a folder of your own with a short path, or use --embedded.',
  });
}

/** Refuses a socket that another user has put there, or could. @throws CodewalkError `DAEMON_FAILED` */
export function checkOwnSocket(address: string): void {
  const uid = process.getuid?.();
  const socket = uid === undefined ? undefined : lstatSync(address, { throwIfNoEntry: false });
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
