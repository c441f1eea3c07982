import { existsSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { CodewalkError } from '../../schema/index.js';
import { folded } from '../folded.js';
import type { Invocation } from '../invocation.js';
import { answered, type CommandExtension, runWalker } from '../walker-command.js';
import { newFile } from './new-file.js';

/** `codewalk pack`: the pack on stdout, or saved to a file (S2-36), as Markdown or with `--json` as JSON. */
export const packExtension: CommandExtension = {
  prepare: (command) =>
    void command
      .option('--out <file>', 'save the pack to this file, as Markdown, with --json as JSON')
      .option('--overwrite', 'replace the file where it is there'),
  run: packTo,
};

async function packTo(invocation: Invocation): Promise<void> {
  const { session, flags, given } = invocation;
  const { terminal } = session;
  if (typeof given.out !== 'string') return runWalker(invocation);
  const file = savedTo(terminal.cwd, given.out, given.overwrite === true);
  const { body, markdown } = await answered(invocation);
  const text = flags.json ? `${JSON.stringify(body, null, 1)}\n` : markdown;
  await newFile(file, async (write) => write(text));
  const bytes = Buffer.byteLength(text);
  if (flags.json) terminal.out(`${JSON.stringify({ file, bytes })}\n`);
  else if (!flags.quiet) terminal.out(`${folded(`Saved ${bytes} bytes in ${file}`, terminal.columns)}\n`);
}

/**
 * Where a pack is saved.
 *
 * @throws CodewalkError `INVALID_INPUT` where a file is there, or a relative path leaves the working directory.
 */
function savedTo(cwd: string, given: string, overwrite: boolean): string {
  const file = resolve(cwd, given);
  const way = relative(cwd, file);
  if (!isAbsolute(given) && (way.startsWith('..') || isAbsolute(way)))
    throw new CodewalkError('INVALID_INPUT', `'${given}' leads out of the working directory`, {
      input: given,
      suggestion: 'Name a file in it, or give the whole path.',
    });
  if (existsSync(file) && !overwrite)
    throw new CodewalkError('INVALID_INPUT', `The file '${file}' is there already`, {
      input: given,
      suggestion: 'Name another one, or add --overwrite.',
    });
  return file;
}
