import { workingDirectory } from '../host/index.js';
import { harmless, jsonText } from '../present/index.js';
import { leave } from './leave.js';
import type { TerminalLook } from './terminal-text.js';

/** Where the command line runs: its streams, its folder, its variables. */
export interface Terminal {
  /** Answers, and nothing else; made {@link harmless}. */
  out(text: string): void;
  /** An answer as a line of JSON: what it says stays as it is, as {@link jsonText} escapes it. */
  json(value: unknown): void;
  /** Bytes of an answer as they are: exports, protocols, Markdown that is harmless already and has our colours. */
  write(text: string): void;
  /** Everything else; made {@link harmless}. */
  err(text: string): void;
  /** Where progress is drawn; null where nobody looks. */
  readonly progress: NodeJS.WriteStream | null;
  /** How answers are shown. */
  readonly look: TerminalLook;
  /** Absolute; throws `INVALID_ROOT` where it was removed. */
  readonly cwd: string;
  readonly debug: boolean;
}

/**
 * This process as a terminal. From here on stdout is ours alone: what other code prints (`console.log` in
 * somebody's walker) goes to stderr, since a program may be reading our answer.
 */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  // `codewalk export | head`: nobody is left to answer to.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') leave(0);
    stderr.write(`error: standard output cannot be written: ${error.message}\n`);
    leave(1);
  });
  stderr.on('error', () => undefined);
  return {
    out: (text) => void write(harmless(text)),
    json: (value) => void write(`${jsonText(value)}\n`),
    write: (text) => void write(text),
    err: (text) => void stderr.write(harmless(text)),
    progress: stderr.isTTY && env.TERM !== 'dumb' ? stderr : null,
    look: {
      columns: stdout.isTTY ? stdout.columns : null,
      // It knows `NO_COLOR`, `FORCE_COLOR` and what the terminal can.
      colors: stdout.isTTY && stdout.hasColors(),
    },
    get cwd() {
      return workingDirectory();
    },
    debug: Boolean(env.CODEWALK_DEBUG),
  };
}
