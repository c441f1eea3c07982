import { z } from 'zod';
import type { DiscoveredFile, FileStatus, LookupKey } from '../../source/index.js';
import { SharedNode } from './shared-nodes.js';

/** Raised when what indexing writes for the same facts changes, or how facts are kept: every file is written again. */
const WRITER_VERSION = 24;

const count = z.number().int();

/** Size, times and inode of a file when it was read: while they are the same, so is its content. */
export const FileStamp = z.tuple([z.number(), z.number(), z.number(), z.number()]);

export type FileStamp = z.infer<typeof FileStamp>;

/** Something that stays wrong with a file until it, or who extracts it, changes. */
const Problem = z.object({ reason: z.string(), detail: z.string() });

/** What of a file the graph was written from, and what the totals of a run are sums of. */
export const WrittenPart = z.object({
  /** The qualified name of the file's module. */
  module: z.string(),
  /** What the resolution of the file looked at elsewhere. */
  looked: z.array(z.custom<LookupKey>((key) => typeof key === 'string')),
  /** The nodes that it shares with other files. */
  shared: z.array(SharedNode),
  /** Symbols by kind. */
  symbols: z.record(z.string(), count),
  /** Edges by type. */
  edges: z.record(z.string(), count),
  calls: z.object({ resolved: count, external: count, unresolved: count }),
  /** Paths of the files that it depends on. */
  uses: z.array(z.string()),
  /** Lines of syntax errors. */
  syntax_errors: z.array(count),
  /** Why its names are not all resolved; null where nothing stood in the way. */
  problem: Problem.nullable().default(null),
});

export type WrittenPart = z.infer<typeof WrittenPart>;

/** What index runs left about one file, beside the graph. */
export const FileState = z.object({
  /** SHA-256 of the content that was extracted; empty when extraction failed and is to be tried again. */
  hash: z.string(),
  /** Extractor and writer that did it: `typescript@1/1`. */
  by: z.string(),
  /** Null when the file was written just before it was read: what was written then may not show in its times. */
  stamp: FileStamp.nullable(),
  /** Bytes. */
  size: count,
  mtime_ms: z.number(),
  language: z.string(),
  plain: z.enum(['language', 'minified']).nullable(),
  /** Whether facts are kept. */
  extracted: z.boolean(),
  /** Why none are, where another try would end the same. */
  problem: Problem.nullable().default(null),
  /**
   * Digest of the interface that other files were resolved against, empty without facts; null while nobody was
   * resolved in its presence.
   */
  offers: z.string().nullable(),
  /** Basis of the part of the graph that was written, a digest of all that it follows from; null while none is. */
  part: z.string().nullable(),
  /** Null while nothing was ever written. */
  written: WrittenPart.nullable(),
});

export type FileState = z.infer<typeof FileState>;

/** The name under which a file's state is kept. */
export const stateName = (path: string): string => `${STATES}${path}`;
/** What the names of all states begin with. */
export const STATES = 'state/';
/** The name under which a file's facts are kept. */
export const factsName = (path: string): string => `facts/${path}`;

/** Who extracts and writes: a file whose state names another is done again. */
export function writtenBy(language: { name: string; version: number } | null): string {
  return `${language ? `${language.name}@${language.version}` : 'none'}/${WRITER_VERSION}`;
}

/** A file's state from its bytes; undefined when there is none or it is not readable. */
export function readState(bytes: Uint8Array | undefined): FileState | undefined {
  const parsed = FileState.safeParse(fromBytes(bytes));
  return parsed.success ? parsed.data : undefined;
}

/** A value as the bytes that are kept. */
export function toBytes(value: object): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** The value of bytes that {@link toBytes} made; undefined when there are none or they are not readable. */
export function fromBytes(bytes: Uint8Array | undefined): unknown {
  if (!bytes) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Milliseconds within which a file can be written again without its times showing it, on any file system we know. */
const RACY_MS = 100;

/** The stamp of a file that is read now; null when its times are too young to be believed. */
export function stampOf(
  file: Pick<DiscoveredFile, 'size' | 'mtimeMs' | 'ctimeMs' | 'inode'>,
  now: number,
): FileStamp | null {
  if (Math.max(file.ctimeMs, file.mtimeMs) > now - RACY_MS) return null;
  return [file.size, file.mtimeMs, file.ctimeMs, file.inode];
}

/** Whether a file is, by its status, the one that was read under this state. */
export function isSameFile(
  { stamp }: Pick<FileState, 'stamp'>,
  { size, mtimeMs, ctimeMs, inode }: Omit<FileStatus, 'kind'>,
): boolean {
  return (
    stamp !== null && stamp[0] === size && stamp[1] === mtimeMs && stamp[2] === ctimeMs && stamp[3] === inode
  );
}
