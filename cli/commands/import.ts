import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { standardInput } from '../../host/index.js';
import { CodewalkError } from '../../schema/index.js';
import type { Invocation } from '../invocation.js';
import { type CommandExtension, runWalker } from '../walker-command.js';

/** `codewalk memory import FILE`: the walker reads the file; what comes on standard input is put into one for it. */
export const importExtension: CommandExtension = {
  prepare: () => undefined,
  run: importFile,
};

async function importFile(invocation: Invocation): Promise<void> {
  const { input, session } = invocation;
  const { file: given } = input;
  if (typeof given !== 'string') return runWalker(invocation);
  const read = (file: string) => {
    const size = statSync(file, { throwIfNoEntry: false })?.size;
    if (!size)
      throw new CodewalkError(
        'INVALID_INPUT',
        size === 0 ? 'file: it is empty, without the header of an export' : `file: '${given}' does not exist`,
        { input: given, suggestion: 'Name a file that codewalk memory export wrote.' },
      );
    return runWalker({ ...invocation, input: { ...input, file } });
  };
  // A path among arguments was made absolute already.
  if (basename(given) !== '-') return read(resolve(session.terminal.cwd, given));
  const folder = mkdtempSync(join(tmpdir(), 'codewalk-import-'));
  try {
    const file = join(folder, 'memories.jsonl');
    const handle = openSync(file, 'wx', 0o600);
    for (const piece of standardInput()) writeSync(handle, piece);
    closeSync(handle);
    await read(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
