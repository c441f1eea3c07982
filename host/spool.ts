import { randomBytes } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ageOf, entriesOf } from './files.js';

/** The reports of a spooled run: its reader removes the file. */
export interface Spool {
  /** Absolute; JSON lines. */
  readonly file: string;
  readonly lines: number;
  readonly bytes: number;
}

/** Characters that are buffered before they are written. */
const BUFFER = 64 * 1024;

/** Lines on their way to a file in a folder that only the user can enter. */
export interface SpoolWriter {
  write(line: string): void;
  /** All lines are there: the file is the reader's, who removes it. */
  finish(): Spool;
  /** Nobody will read it. */
  abandon(): void;
}

/** Milliseconds after which nobody fetches an answer any more. */
const UNFETCHED_MS = 3_600_000;

/** Removes spool files that nobody took within an hour: their readers are gone. */
export function sweepSpool(folder: string): void {
  for (const { name } of entriesOf(folder)) {
    const file = join(folder, name);
    if (ageOf(file) > UNFETCHED_MS) rmSync(file, { force: true });
  }
}

/** A new spool file. Written synchronously: a slow disk slows the walk instead of filling the memory. */
export function spoolInto(folder: string): SpoolWriter {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${process.pid}-${randomBytes(8).toString('hex')}.jsonl`);
  const handle = openSync(file, 'wx', 0o600);
  let held = '';
  let lines = 0;
  let bytes = 0;
  const flush = () => {
    if (held !== '') bytes += writeSync(handle, held);
    held = '';
  };
  return {
    write(line) {
      held += `${line}\n`;
      lines++;
      if (held.length > BUFFER) flush();
    },
    finish() {
      flush();
      closeSync(handle);
      return { file, lines, bytes };
    },
    abandon() {
      closeSync(handle);
      rmSync(file, { force: true });
    },
  };
}
