import { readSync } from 'node:fs';

const PIECE = 1 << 20;
/** Milliseconds between two looks at an input that another process made non-blocking. */
const PAUSE = 2;

/**
 * Standard input in pieces, each good until the next one is asked for. Read synchronously: its stream costs more to load
 * than an event takes.
 */
export function* standardInput(): Generator<Uint8Array> {
  const buffer = Buffer.allocUnsafe(PIECE);
  const clock = new Int32Array(new SharedArrayBuffer(4));
  for (;;) {
    const size = readSome(buffer);
    if (size === 0) return;
    if (size === null) Atomics.wait(clock, 0, 0, PAUSE);
    else yield buffer.subarray(0, size);
  }
}

/** The size of the next piece; 0 at the end, null where there is nothing yet. */
function readSome(buffer: Uint8Array): number | null {
  try {
    return readSync(0, buffer);
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? thrown.code : null;
    if (code === 'EAGAIN') return null;
    // Windows says so where a pipe was closed.
    if (code === 'EOF') return 0;
    throw thrown;
  }
}
