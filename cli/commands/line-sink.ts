import { closeSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { CodewalkError } from '../../schema/index.js';

/** Where lines go one after the other; nothing but a small buffer is held. */
export interface LineSink {
  write(line: string): void;
  /** All lines are there: the file gets its name. */
  finish(): void;
  /** Something went wrong: the file is as it was before. */
  abandon(): void;
  /** Written so far. */
  readonly lines: number;
  readonly bytes: number;
}

const BUFFER = 64 * 1024;

/** Lines to a function that takes text: stdout. What was written cannot be taken back. */
export function textSink(write: (text: string) => void): LineSink {
  return buffered(write, { finish: () => undefined, abandon: () => undefined });
}

/**
 * Lines to a file that gets its name only when all are there: it is written beside it, under a temporary name.
 *
 * @throws CodewalkError `INVALID_INPUT` when the file cannot be written.
 */
export function fileSink(path: string): LineSink {
  const beside = `${path}.${process.pid}.tmp`;
  let file: number;
  try {
    file = openSync(beside, 'w');
  } catch (cause) {
    throw cannotWrite(path, cause);
  }
  // Synchronous: a slow disk slows the walk instead of filling the memory.
  return buffered((text) => void writeSync(file, text), {
    finish() {
      closeSync(file);
      try {
        renameSync(beside, path);
      } catch (cause) {
        rmSync(beside, { force: true });
        throw cannotWrite(path, cause);
      }
    },
    abandon() {
      closeSync(file);
      rmSync(beside, { force: true });
    },
  });
}

function buffered(write: (text: string) => void, end: Pick<LineSink, 'finish' | 'abandon'>): LineSink {
  let held = '';
  let lines = 0;
  let bytes = 0;
  const flush = () => {
    if (held !== '') write(held);
    held = '';
  };
  return {
    write(line) {
      held += `${line}\n`;
      lines++;
      bytes += Buffer.byteLength(line) + 1;
      if (held.length > BUFFER) flush();
    },
    finish() {
      flush();
      end.finish();
    },
    abandon: end.abandon,
    get lines() {
      return lines;
    },
    get bytes() {
      return bytes;
    },
  };
}

function cannotWrite(path: string, cause: unknown): CodewalkError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new CodewalkError('INVALID_INPUT', `The file '${path}' cannot be written: ${why}`, {
    input: path,
    suggestion: 'Name a file in a folder that exists and is yours.',
    cause,
  });
}
