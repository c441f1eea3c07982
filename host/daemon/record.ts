import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hello } from './lines.js';

/** What a daemon leaves in its home, so that clients with another environment find it. */
export interface DaemonRecord extends Hello {
  readonly pid: number;
  readonly address: string;
  /** ISO 8601. */
  readonly started: string;
}

/** The folder that the daemon of a home holds for as long as it lives: whoever holds it is the daemon. */
export function lockFolder(home: string): string {
  return join(home, 'daemon');
}

/** The record of the home's daemon; null where none is, or it cannot be read. It may be of one that is gone. */
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
  const beside = `${file}.${record.pid}.tmp`;
  writeFileSync(beside, `${JSON.stringify(record)}\n`, { mode: 0o600 });
  renameSync(beside, file);
}

function recordFile(home: string): string {
  return join(home, 'daemon.json');
}
