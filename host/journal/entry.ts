import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { CodewalkError } from '../../schema/index.js';
import { markHome } from '../../storage/index.js';
import { pauseFile } from '../config.js';

/*
 * A file in the journal is a payload and a label behind it, between zero bytes:
 *
 *   <payload> NUL "codewalk event 1\n" ["client " NAME "\n"] ("root " | "cwd ") PATH NUL
 *
 * No path holds a zero byte, so POSIX sh writes the label without escaping, and a file that was cut has none.
 *
 * Its name is seconds since 1970, nanoseconds (a lone 0 where the recorder's clock has none), the recorder's pid, and
 * chance. So names sort by time, and no two are the same.
 */

const NUL = 0;
const FIRST_LINE = 'codewalk event ';
const NANOS = 1_000_000;

/** Where an event belongs, as its recorder knew it. */
export interface EntryLabel {
  /** The client whose raw payload it is; null: an event as `etg_log_event` takes it. */
  readonly client: string | null;
  /** `root`: the root itself; `cwd`: a folder of a project, whose root is still to be found. */
  readonly place: 'root' | 'cwd';
  /** Absolute. */
  readonly path: string;
}

/** A raw payload as a client's hook gave it. */
export interface AgentPayload {
  /** The client's name, as `--client` said it. */
  readonly client: string;
  readonly payload: Uint8Array;
}

/** A raw payload from the journal. */
export interface RecordedPayload extends AgentPayload {
  /** The name of its file: an id for what the client gave none. */
  readonly name: string;
  /** Milliseconds since 1970 at which it was recorded; for clients that report no time. */
  readonly at: number;
}

/** An event as `trace_ingest` takes it: what was reported, with an id, and a time where none was reported. */
export interface JournalEvent {
  readonly event_id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly [field: string]: unknown;
}

/** The folders of a home's journal (C-02), for the user alone. */
export function journalFolders(home: string) {
  const at = (name: string) => join(home, 'journal', name);
  return {
    /** What is being written. */
    tmp: at('tmp'),
    /** What was recorded and waits. */
    fresh: at('new'),
    /** What could not be recorded, by reason. */
    quarantine: at('quarantine'),
    /** What waits for an adapter, by client. */
    held: at('held'),
  };
}

/** The label as it stands behind a payload. */
export function labelBytes({ client, place, path }: EntryLabel): Buffer {
  const name = client === null ? '' : `client ${client}\n`;
  return Buffer.from(`\0${FIRST_LINE}1\n${name}${place} ${path}\0`);
}

/** Parses a file of the journal, or says why it is none. */
export function parseEntry(
  bytes: Buffer,
): (EntryLabel & { readonly payload: Buffer }) | 'empty' | 'truncated' | 'other-version' {
  if (bytes.length === 0) return 'empty';
  const start = bytes.length < 2 || bytes.at(-1) !== NUL ? -1 : bytes.lastIndexOf(NUL, bytes.length - 2);
  const label = bytes.subarray(start + 1, -1).toString('utf8');
  if (start < 0 || !label.startsWith(FIRST_LINE)) return 'truncated';
  const found = /^1\n(?:client ([a-z0-9_-]{1,64})\n)?(root|cwd) ([\s\S]+)$/u.exec(
    label.slice(FIRST_LINE.length),
  );
  if (found === null) return 'other-version';
  if (start === 0) return 'empty';
  const [, client = null, place, path = ''] = found;
  return { client, place: place === 'root' ? 'root' : 'cwd', path, payload: bytes.subarray(0, start) };
}

/** A name that no other file has, had or will have. @param now Milliseconds since 1970. */
export function newEntryName(now: number, pid: number): string {
  const seconds = Math.floor(now / 1000);
  const nanos = Math.floor((now - seconds * 1000) * NANOS);
  return `${seconds}.${String(nanos).padStart(9, '0')}.${pid}.${randomUUID().replaceAll('-', '')}`;
}

/**
 * The time in the name of a file, in milliseconds since 1970, and whether it is exact to the second only. Null where no
 * recorder of ours made the name.
 */
export function timeInName(name: string): { readonly at: number; readonly coarse: boolean } | null {
  const found = /^(\d{10,12})\.(\d{9}|0)\.\d+\.[0-9a-z]{8,64}$/u.exec(name);
  if (found === null) return null;
  const [, seconds = '', nanos = ''] = found;
  return { at: Number(seconds) * 1000 + Number(nanos) / NANOS, coarse: nanos === '0' };
}

/** What is recorded with an event. */
export interface RecordOptions {
  /** The graphs home; absolute. */
  readonly home: string;
  /** The project's root, as it was given; null: it follows from the working directory. */
  readonly root: string | null;
  /** The client whose raw payload it is; null: an event as `etg_log_event` takes it. */
  readonly client: string | null;
  /** What a relative root is relative to; absolute. */
  readonly cwd: string;
}

/**
 * Puts one event into the journal, as `record.sh` does: no daemon, no database, no lock. It is there, or nothing is.
 *
 * @param payload Its bytes, in pieces; at least one byte.
 * @returns `paused` where recording is: nothing was written.
 * @throws CodewalkError `INVALID_INPUT` for an empty payload, client or root; `STORE_FULL`.
 */
export function recordEntry(options: RecordOptions, payload: Iterable<Uint8Array>): 'recorded' | 'paused' {
  const { home, root, client, cwd } = options;
  // The name of a client becomes a folder's.
  if (client !== null && !/^[a-z0-9_-]{1,64}$/u.test(client))
    throw new CodewalkError(
      'INVALID_INPUT',
      `--client '${client}': small letters, digits, - and _ make the name of a client`,
    );
  if (root !== null && (root === '' || root.includes('\0')))
    throw new CodewalkError('INVALID_INPUT', `--root '${root}' is no path`);
  if (existsSync(pauseFile({ home }))) {
    // The process that writes the event is not to find a closed pipe.
    for (const _ of payload);
    return 'paused';
  }
  // Not resolved where it is absolute: `record.sh` leaves `..` to the daemon, and so it is one root.
  const path = root === null ? cwd : isAbsolute(root) ? root : `${cwd}/${root}`;
  try {
    write(resolve(home), payload, labelBytes({ client, place: root === null ? 'cwd' : 'root', path }));
    return 'recorded';
  } catch (thrown) {
    if (thrown instanceof CodewalkError) throw thrown;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CodewalkError('STORE_FULL', `the journal cannot be written: ${why}`, { cause: thrown });
  }
}

function write(home: string, payload: Iterable<Uint8Array>, label: Uint8Array): void {
  const { tmp, fresh } = journalFolders(home);
  if (!existsSync(tmp) || !existsSync(fresh)) {
    for (const folder of [tmp, fresh]) mkdirSync(folder, { recursive: true, mode: 0o700 });
    markHome(home);
  }
  const name = newEntryName(Date.now(), process.pid);
  const file = join(tmp, name);
  const handle = openSync(file, 'wx', 0o600);
  try {
    let bytes = 0;
    for (const piece of payload) bytes += writeAll(handle, piece);
    if (bytes === 0) throw new CodewalkError('INVALID_INPUT', 'standard input is empty');
    writeAll(handle, label);
    closeSync(handle);
  } catch (thrown) {
    rmSync(file, { force: true });
    throw thrown;
  }
  renameSync(file, join(fresh, name));
}

/** A write may take less than it was given. */
function writeAll(handle: number, bytes: Uint8Array): number {
  let done = 0;
  while (done < bytes.length) done += writeSync(handle, bytes, done);
  return done;
}
