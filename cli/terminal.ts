import { type SpawnOptions, workingDirectory } from '../host/index.js';
import { harmless, jsonText } from '../present/index.js';
import type { TerminalLook } from './text.js';

/** Where the command line runs: its streams, its folder, its variables. */
export interface Terminal {
  /** Answers, made {@link harmless}. */
  out(text: string): void;
  /** An answer as a line of JSON. */
  json(value: unknown): void;
  /** Bytes of an answer as they are: exports, protocols, Markdown that is harmless already and has our colours. */
  write(piece: string | Uint8Array): void;
  /** Everything else, made {@link harmless}. */
  err(text: string): void;
  /** Where progress is drawn; null: nowhere. */
  readonly progress: NodeJS.WriteStream | null;
  readonly look: TerminalLook;
  /** Absolute; throws `INVALID_ROOT` where it was removed. */
  readonly cwd: string;
  readonly debug: boolean;
}

/**
 * This process as a terminal. From here on stdout is ours alone: what other code prints (`console.log` in a user's
 * walker) goes to stderr, since a program may be reading our answer.
 */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // `codewalk export | head`: the reader has gone.
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

/** Ends this process on purpose, whatever still runs in it. */
export function leave(code = process.exitCode): never {
  process.exit(code);
}

/** A progress bar that draws what a run reports. */
interface ProgressBar {
  readonly onProgress: NonNullable<SpawnOptions['onProgress']>;
  /** Takes the bar away: answers follow. */
  stop(): void;
}

/** Which part of an index run a phase is, about: one bar grows through all of them. */
const PARTS: Readonly<Record<string, readonly [from: number, to: number]>> = {
  discover: [0, 0.05],
  extract: [0.05, 0.6],
  resolve: [0.6, 0.8],
  'write nodes': [0.8, 0.9],
  'write edges': [0.9, 1],
};

/** A bar on `stream`; null: nothing is drawn. */
export async function progressBar(stream: NodeJS.WriteStream | null): Promise<ProgressBar> {
  if (stream === null) return { onProgress: () => undefined, stop: () => undefined };
  const { default: progress } = await import('cli-progress');
  const bar = new progress.SingleBar(
    {
      stream,
      format: '[{bar}] {percentage}% {phase} {count} {item}',
      hideCursor: true,
      clearOnComplete: true,
      barsize: 24,
      linewrap: false,
      gracefulExit: false,
    },
    progress.Presets.shades_grey,
  );
  let started = false;
  let share = 0;
  return {
    onProgress({ phase, done, total, item = '' }) {
      const part = PARTS[phase];
      const own = total ? Math.min(1, done / total) : 0;
      // A large project is indexed in batches: their phases come again, and the bar never goes back.
      share = part ? Math.max(share, part[0] + (part[1] - part[0]) * own) : own;
      const count = total === null ? String(done) : `${done}/${total}`;
      const shown = { phase, count, item: harmless(item) };
      if (!started) bar.start(100, 0, shown);
      started = true;
      bar.update(Math.floor(share * 100), shown);
    },
    stop: () => bar.stop(),
  };
}
