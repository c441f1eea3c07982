import { isAbsolute, relative, resolve } from 'node:path';
import { CodewalkError } from '../../schema/index.js';
import type { Invocation } from '../invocation.js';
import { answered, type CommandExtension, runWalker } from '../walker-command.js';
import { newFile } from './new-file.js';
import { addOutOption, outFile } from './out-option.js';

/** `codewalk pack`: the pack on stdout, or saved to a file (S2-36), as Markdown or with `--json` as JSON. */
export const packExtension: CommandExtension = {
  prepare: (command) => addOutOption(command, 'save the pack to this file, as Markdown, with --json as JSON'),
  run: packTo,
};

async function packTo(invocation: Invocation): Promise<void> {
  const { session, flags, given } = invocation;
  const { terminal } = session;
  if (typeof given.out === 'string') checkWithin(terminal.cwd, given.out);
  const file = outFile(invocation);
  if (file === null) return runWalker(invocation);
  const { body, markdown } = await answered(invocation);
  const text = flags.json ? `${JSON.stringify(body, null, 1)}\n` : markdown;
  await newFile(file, async (write) => write(text));
  const bytes = Buffer.byteLength(text);
  if (flags.json) terminal.json({ file, bytes });
  else if (!flags.quiet) terminal.out(`Saved ${bytes} bytes in ${file}\n`);
}

/** @throws CodewalkError `INVALID_INPUT` where a relative path leaves the working directory. */
function checkWithin(cwd: string, given: string): void {
  const way = relative(cwd, resolve(cwd, given));
  if (isAbsolute(given) || !(way.startsWith('..') || isAbsolute(way))) return;
  throw new CodewalkError('INVALID_INPUT', `'${given}' leads out of the working directory`, {
    input: given,
    suggestion: 'Name a file in it, or give the whole path.',
  });
}
