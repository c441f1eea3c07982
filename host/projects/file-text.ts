import { closeSync, openSync, readSync } from 'node:fs';

/** Bytes that are read at a time: what was set aside may be larger than memory. */
const PIECE = 1024 * 1024;

/**
 * Whether a file holds one of some texts, as UTF-8. It is read in pieces.
 *
 * @param piece Bytes that are read at a time.
 * @throws Error as the disk fails.
 */
export function hasAnyOf(file: string, texts: readonly string[], piece = PIECE): boolean {
  const wanted = texts.map((text) => Buffer.from(text));
  // A text may begin in one piece and end in the next.
  const overlap = Math.max(0, ...wanted.map(({ length }) => length - 1));
  const bytes = Buffer.allocUnsafe(overlap + piece);
  const handle = openSync(file, 'r');
  try {
    for (let kept = 0; ; ) {
      const read = readSync(handle, bytes, kept, piece, null);
      if (read === 0) return false;
      const seen = bytes.subarray(0, kept + read);
      if (wanted.some((text) => seen.includes(text))) return true;
      kept = Math.min(overlap, seen.length);
      bytes.copyWithin(0, seen.length - kept, seen.length);
    }
  } finally {
    closeSync(handle);
  }
}
