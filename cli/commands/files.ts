import {
  closeSync,
  createReadStream,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, isAbsolute, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Command } from 'commander';
import { type Spool, standardInput } from '../../host/index.js';
import { limitText } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import { answered, type CommandExtension, type Invocation, runWalker } from '../walker-command.js';

/** An export is as long as the graph is large. */
const SPOOLED = { spool: true, limits: { maxBytes: null, maxVisits: null, deadlineMs: null } };

type Write = (piece: string | Uint8Array) => void;

/** `codewalk export` and `codewalk memory export`: the walker's reports as lines, to stdout or to a file. */
export const exportExtension: CommandExtension = {
  prepare: (command) => addOut(command, 'write the lines to this file; default: stdout, one after the other'),
  async run(invocation) {
    const { terminal } = invocation.session;
    const file = outFile(invocation);
    if (file === null) return void (await copyLines(invocation, terminal.write));
    const { lines, bytes } = await newFile(file, (write) => copyLines(invocation, write));
    if (invocation.flags.json) terminal.json({ file, lines, bytes });
    else if (!invocation.flags.quiet) terminal.out(`${lines} lines (${bytes} bytes) in ${file}\n`);
  },
};

/** Writes the reports, each a line; those of a SCIP index as the bytes that they stand for. */
async function copyLines(invocation: Invocation, write: Write): Promise<Spool> {
  const { body, truncated, spool } = await answered(invocation, SPOOLED);
  if (spool === null) throw new CodewalkError('INTERNAL', 'The host kept no lines of the export');
  const handle = openSync(spool.file, 'r');
  // Gone from here on, whatever ends us: a reader that leaves in the middle, too.
  rmSync(spool.file);
  if (truncated)
    throw new CodewalkError('DEADLINE', `The export ended early at its limit of ${limitText(truncated)}`, {
      suggestion: 'Give it a larger --deadline.',
    });
  const stored = createReadStream(spool.file, { fd: handle, encoding: 'utf8' });
  if (invocation.input.format === 'scip')
    for await (const line of createInterface(stored)) write(Buffer.from(line, 'base64'));
  else for await (const text of stored) write(text);
  for (const note of body.state.cut) invocation.session.terminal.err(`note: ${note}\n`);
  return spool;
}

/** `codewalk pack`: the pack on stdout, or saved to a file, as Markdown or with `--json` as JSON. */
export const packExtension: CommandExtension = {
  prepare: (command) => addOut(command, 'save the pack to this file, as Markdown, with --json as JSON'),
  async run(invocation) {
    const { session, flags, given } = invocation;
    const { terminal } = session;
    const way = typeof given.out === 'string' ? relative(terminal.cwd, resolve(terminal.cwd, given.out)) : '';
    if (!isAbsolute(String(given.out)) && (way.startsWith('..') || isAbsolute(way)))
      throw new CodewalkError('INVALID_INPUT', `'${given.out}' leads out of the working directory`, {
        input: given.out,
        suggestion: 'Name a file in it, or give the whole path.',
      });
    const file = outFile(invocation);
    if (file === null) return runWalker(invocation);
    const { body, markdown } = await answered(invocation);
    const text = flags.json ? `${JSON.stringify(body, null, 1)}\n` : markdown;
    await newFile(file, async (write) => write(text));
    const bytes = Buffer.byteLength(text);
    if (flags.json) terminal.json({ file, bytes });
    else if (!flags.quiet) terminal.out(`Saved ${bytes} bytes in ${file}\n`);
  },
};

/** `codewalk memory import FILE`: the walker reads the file; what comes on standard input is put into one for it. */
export const importExtension: CommandExtension = {
  async run(invocation) {
    const { input, session } = invocation;
    const { file: given } = input;
    if (typeof given !== 'string') return runWalker(invocation);
    const read = (file: string) => {
      const size = statSync(file, { throwIfNoEntry: false })?.size;
      if (!size)
        throw new CodewalkError(
          'INVALID_INPUT',
          size === 0
            ? 'file: it is empty, without the header of an export'
            : `file: '${given}' does not exist`,
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
  },
};

function addOut(command: Command, what: string): void {
  command
    .option('--out <file>', what)
    .option('--overwrite', 'with --out: replace the file where it is there');
}

/**
 * The file that `--out` names, absolute; null where none is named. What it holds may be the only copy of something: it is
 * written over only where `--overwrite` says so, or where it is empty.
 */
function outFile({ given, session }: Invocation): string | null {
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

/** What the system's codes mean for a file that cannot be written. */
const WHY: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
};

/** Writes a file that gets its name only when all is there. Where the body throws, the file is as it was before. */
async function newFile<T>(path: string, body: (write: Write) => Promise<T>): Promise<T> {
  const writing = <R>(step: () => R): R => {
    try {
      return step();
    } catch (cause) {
      const { code = '' }: { code?: string } = Object(cause);
      const why = WHY[code] ?? (code || String(cause));
      throw new CodewalkError('INVALID_INPUT', `The file '${path}' cannot be written: ${why}`, {
        input: path,
        suggestion: 'Name a file in a folder that exists and is yours.',
        cause,
      });
    }
  };
  const temporary = `${path}.${process.pid}.tmp`;
  const handle = writing(() => openSync(temporary, 'w'));
  try {
    const answer = await body((text) => writing(() => writeFileSync(handle, text)));
    writing(() => renameSync(temporary, path));
    return answer;
  } finally {
    closeSync(handle);
    rmSync(temporary, { force: true });
  }
}
