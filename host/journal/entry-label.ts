/*
 * What a file in the journal says of its payload. The label stands behind the payload, between zero bytes:
 *
 *   <payload> NUL "codewalk event 1\n" ["client " NAME "\n"] ("root " | "cwd ") PATH NUL
 *
 * No path holds a zero byte, so POSIX sh writes it without escaping anything; and a file that was cut has none.
 */

const NUL = 0;
const FIRST_LINE = 'codewalk event ';
const VERSION = '1';
/** What a client may be called: its name becomes a folder's. */
const CLIENT = /^[a-z0-9_-]{1,64}$/u;

/** What the label says. */
export interface EntryLabel {
  /** The client whose raw payload it is; null: an event as `etg_log_event` takes it. */
  readonly client: string | null;
  /** `root`: the root itself; `cwd`: a folder that ruling X-33 finds the root of. */
  readonly place: 'root' | 'cwd';
  /** Absolute. */
  readonly path: string;
}

/** A file in the journal. */
export interface Entry extends EntryLabel {
  readonly payload: Buffer;
}

/** The label as it stands behind a payload. */
export function labelBytes({ client, place, path }: EntryLabel): Buffer {
  const name = client === null ? '' : `client ${client}\n`;
  return Buffer.from(`\0${FIRST_LINE}${VERSION}\n${name}${place} ${path}\0`);
}

/** Whether this can be the name of a client. */
export function isClientName(name: string): boolean {
  return CLIENT.test(name);
}

/** Why a file is none of ours. */
export type BadEntry = 'empty' | 'truncated' | 'other-version';

/** A file of the journal, taken apart. */
export function parseEntry(bytes: Buffer): Entry | BadEntry {
  if (bytes.length === 0) return 'empty';
  if (bytes.at(-1) !== NUL) return 'truncated';
  const start = bytes.length < 2 ? -1 : bytes.lastIndexOf(NUL, bytes.length - 2);
  if (start < 0) return 'truncated';
  const label = bytes.subarray(start + 1, -1).toString('utf8');
  if (!label.startsWith(FIRST_LINE)) return 'truncated';
  const found = /^1\n(?:client ([a-z0-9_-]{1,64})\n)?(root|cwd) ([\s\S]+)$/u.exec(
    label.slice(FIRST_LINE.length),
  );
  if (found === null) return 'other-version';
  const payload = bytes.subarray(0, start);
  if (payload.length === 0) return 'empty';
  const [, client = null, place, path = ''] = found;
  return { client, place: place === 'root' ? 'root' : 'cwd', path, payload };
}
