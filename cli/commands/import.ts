import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { standardInput } from '../../host/index.js';
import type { Invocation } from '../invocation.js';
import { type CommandExtension, runWalker } from '../walker-command.js';

/** `codewalk memory import FILE`: the walker reads the file; what comes on standard input is put into one for it. */
export const importExtension: CommandExtension = {
  prepare: () => undefined,
  run: importFile,
};

async function importFile(invocation: Invocation): Promise<void> {
  const { input, session } = invocation;
  const { from } = input;
  if (typeof from !== 'string') return runWalker(invocation);
  if (from !== '-')
    return runWalker({ ...invocation, input: { ...input, from: resolve(session.terminal.cwd, from) } });
  const folder = mkdtempSync(join(tmpdir(), 'codewalk-import-'));
  try {
    const file = join(folder, 'memories.jsonl');
    const handle = openSync(file, 'wx', 0o600);
    for (const piece of standardInput()) writeSync(handle, piece);
    closeSync(handle);
    await runWalker({ ...invocation, input: { ...input, from: file } });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
