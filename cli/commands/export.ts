import { createReadStream, openSync, rmSync } from 'node:fs';
import type { Spool } from '../../host/index.js';
import { limitText } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import type { Invocation } from '../invocation.js';
import { answered, type CommandExtension } from '../walker-command.js';
import { newFile } from './new-file.js';
import { addOutOption, outFile } from './out-option.js';

/** An export is as long as the graph is large. */
const SPOOLED = { spool: true, limits: { maxBytes: null, maxVisits: null, deadlineMs: null } };

/** `codewalk export` and `codewalk memory export`: the walker's reports as lines, to stdout or to a file. */
export const exportExtension: CommandExtension = {
  prepare: (command) =>
    addOutOption(command, 'write the lines to this file; default: stdout, one after the other'),
  run: exportLines,
};

async function exportLines(invocation: Invocation): Promise<void> {
  const { session, flags } = invocation;
  const { terminal } = session;
  const file = outFile(invocation);
  if (file === null) return void (await copyLines(invocation, terminal.write));
  const { lines, bytes } = await newFile(file, (write) => copyLines(invocation, write));
  if (flags.json) terminal.json({ file, lines, bytes });
  else if (!flags.quiet) terminal.out(`${lines} lines (${bytes} bytes) in ${file}\n`);
}

async function copyLines(invocation: Invocation, write: (text: string) => void): Promise<Spool> {
  const { body, truncated, spool } = await answered(invocation, SPOOLED);
  if (spool === null) throw new CodewalkError('INTERNAL', 'The host kept no lines of the export');
  const handle = openSync(spool.file, 'r');
  // Gone from here on, whatever ends us: a reader that leaves in the middle, too.
  rmSync(spool.file);
  if (truncated)
    throw new CodewalkError('DEADLINE', `The export ended early at its limit of ${limitText(truncated)}`, {
      suggestion: 'Give it a larger --deadline.',
    });
  for await (const text of createReadStream(spool.file, { fd: handle, encoding: 'utf8' })) write(text);
  for (const note of body.state.cut) invocation.session.terminal.err(`note: ${note}\n`);
  return spool;
}
