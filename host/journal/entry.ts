import { randomUUID } from 'node:crypto';

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
/** The name of a client becomes a folder's. */
const CLIENT = /^[a-z0-9_-]{1,64}$/u;
const NAME = /^(\d{10,12})\.(\d{9}|0)\.\d+\.[0-9a-z]{8,64}$/u;
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

/** A file of the journal, parsed. */
export interface Entry extends EntryLabel {
  readonly payload: Buffer;
}

/** A raw payload as a client's hook gave it. */
export interface AgentPayload {
  /** The client's name, as `--client` said it. */
  readonly client: string;
  /** As it came; UTF-8 in all likelihood. */
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

/** The label as it stands behind a payload. */
export function labelBytes({ client, place, path }: EntryLabel): Buffer {
  const name = client === null ? '' : `client ${client}\n`;
  return Buffer.from(`\0${FIRST_LINE}1\n${name}${place} ${path}\0`);
}

/** Whether this can be the name of a client. */
export function isClientName(name: string): boolean {
  return CLIENT.test(name);
}

/** Parses a file of the journal, or says why it is none. */
export function parseEntry(bytes: Buffer): Entry | 'empty' | 'truncated' | 'other-version' {
  if (bytes.length === 0) return 'empty';
  const start = bytes.length < 2 || bytes.at(-1) !== NUL ? -1 : bytes.lastIndexOf(NUL, bytes.length - 2);
  const label = bytes.subarray(start + 1, -1).toString('utf8');
  if (start < 0 || !label.startsWith(FIRST_LINE)) return 'truncated';
  const found = /^1\n(?:client ([a-z0-9_-]{1,64})\n)?(root|cwd) ([\s\S]+)$/u.exec(
    label.slice(FIRST_LINE.length),
  );
  if (found === null) return 'other-version';
  const payload = bytes.subarray(0, start);
  if (payload.length === 0) return 'empty';
  const [, client = null, place, path = ''] = found;
  return { client, place: place === 'root' ? 'root' : 'cwd', path, payload };
}

/** A name that no other file has, had or will have. @param now Milliseconds since 1970. */
export function newEntryName(now: number, pid: number): string {
  const seconds = Math.floor(now / 1000);
  const nanos = Math.floor((now - seconds * 1000) * NANOS);
  return `${seconds}.${String(nanos).padStart(9, '0')}.${pid}.${randomUUID().replaceAll('-', '')}`;
}

/**
 * The time in the name of a file, in milliseconds since 1970 with a fraction, and whether it is exact to the second only.
 * Null where no recorder of ours made the name.
 */
export function timeInName(name: string): { readonly at: number; readonly coarse: boolean } | null {
  const found = NAME.exec(name);
  if (found === null) return null;
  const [, seconds = '', nanos = ''] = found;
  return { at: Number(seconds) * 1000 + Number(nanos) / NANOS, coarse: nanos === '0' };
}
