import { createReadStream, existsSync, openSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Spool } from '../../host/index.js';
import { limitText } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import type { Invocation } from '../invocation.js';
import { answered, type CommandExtension } from '../walker-command.js';
import { newFile } from './new-file.js';

/** An export is as long as the graph is large. */
const SPOOLED = { spool: true, limits: { maxBytes: null, maxVisits: null, deadlineMs: null } };

/** `codewalk export`: the walker's reports as lines, to stdout or to a file. */
export const exportExtension: CommandExtension = {
  prepare: (command) =>
    void command.option('--out <file>', 'write the lines to this file; default: stdout, one after the other'),
  run: exportLines,
};

/** `codewalk memory export`: the same, but what may be the only copy of something is not written over unasked. */
export const memoryExportExtension: CommandExtension = {
  prepare: exportExtension.prepare,
  run: async (invocation) => {
    const { given, session, flags } = invocation;
    const file = typeof given.out === 'string' ? resolve(session.terminal.cwd, given.out) : null;
    if (file !== null && !flags.force && existsSync(file))
      throw new CodewalkError('INVALID_INPUT', `out: '${file}' is there already`, {
        input: given.out,
        suggestion: 'Name another file, or write over it with --force.',
      });
    await exportLines(invocation);
  },
};

async function exportLines(invocation: Invocation): Promise<void> {
  const { session, flags, given } = invocation;
  const { terminal } = session;
  if (typeof given.out !== 'string') return void (await copyLines(invocation, terminal.out));
  const file = resolve(terminal.cwd, given.out);
  const { lines, bytes } = await newFile(file, (write) => copyLines(invocation, write));
  if (flags.json) terminal.out(`${JSON.stringify({ file, lines, bytes })}\n`);
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
