import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { SpawnRequest } from '../host.js';
import type { EntryLabel } from '../journal/entry.js';
import { packageVersion } from '../version.js';

/*
 * What a daemon and its clients say to each other, as far as a client needs it: it loads no schema.
 */

/** What both sides must speak: a daemon and a client of different protocols do not understand each other. */
export const PROTOCOL = 1;

/** Bytes that a line may have. */
const LONGEST_LINE = 256 * 1024 * 1024;

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

/** What a hook sends: the payload that its client gave it, and where it was run. */
export interface HookAsk extends Pick<EntryLabel, 'place' | 'path'> {
  readonly client: string;
  readonly payload: string;
}

/** What a host is asked over a transport, as plain data. */
export type Ask =
  | { readonly spawn: SpawnRequest }
  | { readonly describe: readonly string[]; readonly deadlineMs: number | null }
  | { readonly release: string }
  | { readonly backup: string }
  | { readonly drain: true }
  | { readonly status: true }
  /** What a client's hook is to print. */
  | { readonly hook: HookAsk }
  /** Ends the daemon at once: what runs is cancelled. */
  | { readonly stop: true }
  /** Makes way for a newer daemon: what runs comes to its end first. */
  | { readonly retire: true };

/** What this program says of itself. @param script The daemon's, which is built with everything else. */
export function ownHello(script: URL): Hello {
  const status = statSync(script, { throwIfNoEntry: false });
  // Sources that run as they are were never built.
  return { protocol: PROTOCOL, version: packageVersion(), built: Math.round(status?.mtimeMs ?? 0) };
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

/** Whether `a` is newer than `b`: by version, then by when it was built. */
export function isNewer(a: Hello, b: Hello): boolean {
  const [left, right] = [numbersOf(a.version), numbersOf(b.version)];
  for (const [at, number] of left.entries()) {
    const other = right[at] ?? 0;
    if (number !== other) return number > other;
  }
  return a.built > b.built;
}

function numbersOf(version: string): number[] {
  return version
    .split(/[.+-]/u)
    .slice(0, 3)
    .map((part) => Number.parseInt(part, 10) || 0);
}

/** Whether the two are the same program. */
export function isSame(a: Hello, b: Hello): boolean {
  return a.protocol === b.protocol && a.version === b.version && a.built === b.built;
}

/** The folder that the daemon of a home holds for as long as it lives: the process that holds it is the daemon. */
export function lockFolder(home: string): string {
  return join(home, 'daemon');
}

/** The record of the home's daemon; null where there is none that can be read. Its daemon may be gone. */
export function readRecord(home: string): DaemonRecord | null {
  try {
    const record: Partial<DaemonRecord> = JSON.parse(readFileSync(recordFile(home), 'utf8'));
    const { pid, address, started = '', protocol = 0, version = '', built = 0 } = record;
    if (typeof pid !== 'number' || typeof address !== 'string') return null;
    return { pid, address, started, protocol, version, built };
  } catch {
    return null;
  }
}

/** Writes the record: whole or not at all. */
export function writeRecord(home: string, record: DaemonRecord): void {
  const file = recordFile(home);
  const temporary = `${file}.${record.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(temporary, file);
}

function recordFile(home: string): string {
  return join(home, 'daemon.json');
}
