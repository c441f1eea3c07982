import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { CodewalkError } from '../schema/index.js';

/**
 * Writes a small file of the user's alone (mode 0600), whole or not at all: it is written beside its place and renamed.
 *
 * @throws CodewalkError `STORE_FULL` when it cannot be written.
 */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, text, { mode: 0o600, flag: 'wx' });
    renameSync(temporary, path);
  } catch (cause) {
    rmSync(temporary, { force: true });
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CodewalkError('STORE_FULL', `${path} cannot be written: ${why}`, {
      input: path,
      suggestion: 'Free disk space, or set GRAPHS_HOME to a folder that can be written; nothing was changed.',
      cause,
    });
  }
}
