import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { CodewalkError } from '../../schema/index.js';
import type { Invocation } from '../invocation.js';

/** Adds `--out` and `--overwrite` to a command. @param what What it does with the file. */
export function addOutOption(command: Command, what: string): void {
  command
    .option('--out <file>', what)
    .option('--overwrite', 'with --out: replace the file where it is there');
}

/**
 * The file that `--out` names, absolute; null where none is named. What it holds may be the only copy of something: it is
 * written over only where `--overwrite` says so, or where it is empty.
 *
 * @throws CodewalkError `INVALID_INPUT` where it is there already, or where `--overwrite` has nothing to replace.
 */
export function outFile({ given, session }: Invocation): string | null {
  const overwrite = given.overwrite === true;
  if (typeof given.out !== 'string') {
    if (!overwrite) return null;
    throw new CodewalkError('INVALID_INPUT', 'overwrite: no --out names a file', {
      suggestion: 'Add --out FILE, or leave --overwrite out.',
    });
  }
  const file = resolve(session.terminal.cwd, given.out);
  const there = statSync(file, { throwIfNoEntry: false });
  if (!overwrite && there?.isFile() && there.size > 0)
    throw new CodewalkError('INVALID_INPUT', `out: '${file}' is there already`, {
      input: given.out,
      suggestion: 'Name another file, or replace it with --overwrite.',
    });
  return file;
}
