import { createHash } from 'node:crypto';
import { LIMITS } from '../../schema/index.js';
import { diskFileSystem, errorCode, type FileSystem, isMissing } from '../file-system.js';
import { DISCOVERY_LIMITS } from './limits.js';
import type { SkipReason } from './reasons.js';

/** The text of a file, or why there is none. */
export type TextRead =
  | {
      readonly ok: true;
      /** Without byte-order mark, line ends as they are on disk. */
      readonly text: string;
      /** SHA-256 of the bytes on disk, lower-case hex. */
      readonly hash: string;
      /** Bytes. */
      readonly size: number;
    }
  | {
      readonly ok: false;
      readonly reason: Extract<SkipReason, 'too-large' | 'binary' | 'not-utf8' | 'unreadable' | 'vanished'>;
      readonly detail: string;
    };

/** What {@link readText} may be given. */
export interface ReadOptions {
  /** Default: the disk. */
  readonly fs?: FileSystem;
  /** Bytes; a file that is larger is `too-large`. Default: what discovery can be told to take at the most. */
  readonly maxFileBytes?: number;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads a discovered file once: text and hash come from the same bytes. Never throws for what a file can be: a file
 * that vanished, grew, lost its permissions or is not UTF-8 is an answer with the reason under which the run names it.
 */
export function readText(file: { readonly diskPath: string }, options: ReadOptions = {}): TextRead {
  const { fs = diskFileSystem, maxFileBytes = LIMITS.fileBytes.max } = options;
  let bytes: Uint8Array;
  try {
    bytes = fs.readBytes(file.diskPath, maxFileBytes + 1);
  } catch (error) {
    return { ok: false, reason: readFailure(error), detail: errorCode(error) };
  }
  if (bytes.length > maxFileBytes) {
    return { ok: false, reason: 'too-large', detail: `over ${maxFileBytes} bytes` };
  }
  if (bytes.subarray(0, DISCOVERY_LIMITS.binaryProbeBytes).includes(0))
    return { ok: false, reason: 'binary', detail: 'NUL byte' };
  try {
    const text = decoder.decode(bytes);
    return { ok: true, text, hash: createHash('sha256').update(bytes).digest('hex'), size: bytes.length };
  } catch {
    return { ok: false, reason: 'not-utf8', detail: `line ${firstInvalidLine(bytes)}` };
  }
}

/** The reason for an error of the file system. */
export function readFailure(error: unknown): 'vanished' | 'unreadable' {
  // A link in the place of the file is there, and is not followed.
  return isMissing(error) && errorCode(error) !== 'ELOOP' ? 'vanished' : 'unreadable';
}

/** Line (from 1) of the first byte that cannot be UTF-8: behind the longest prefix that is text, by bisection. */
function firstInvalidLine(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  while (valid + 1 < invalid) {
    const middle = (valid + invalid) >> 1;
    if (isPrefixOfText(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  return bytes.subarray(0, valid).reduce((lines, byte) => (byte === 10 ? lines + 1 : lines), 1);
}

function isPrefixOfText(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
