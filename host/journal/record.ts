import { closeSync, existsSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { CodewalkError } from '../../schema/index.js';
import { markHome } from '../../storage/index.js';
import { pauseFile } from '../projects/pause.js';
import { isClientName, labelBytes, newEntryName } from './entry.js';
import { journalFolders } from './files.js';

/** What is recorded with an event. */
export interface RecordOptions {
  /** The graphs home; absolute. */
  readonly home: string;
  /** The project's root, as it was given; null: the working directory tells it. */
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
 * @throws CodewalkError `INVALID_INPUT` for an empty payload, or a client or root that cannot be; `STORE_FULL` when
 * the journal cannot be written.
 */
export function recordEntry(options: RecordOptions, payload: Iterable<Uint8Array>): 'recorded' | 'paused' {
  const { home, root, client, cwd } = options;
  if (client !== null && !isClientName(client))
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
  const label = labelBytes({ client, place: root === null ? 'cwd' : 'root', path });
  try {
    return written(resolve(home), payload, label);
  } catch (thrown) {
    if (thrown instanceof CodewalkError) throw thrown;
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new CodewalkError('STORE_FULL', `the journal cannot be written: ${why}`, { cause: thrown });
  }
}

function written(home: string, payload: Iterable<Uint8Array>, label: Uint8Array): 'recorded' {
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
  return 'recorded';
}

/** A write may take less than it was given. */
function writeAll(handle: number, bytes: Uint8Array): number {
  let done = 0;
  while (done < bytes.length) done += writeSync(handle, bytes, done);
  return done;
}
