import { z } from 'zod';
import type { FileFacts } from '../../../source/index.js';
import { IndexOutput } from './index-output.js';

/** Raised when what indexing writes for the same facts changes: every file is written again. */
const WRITER_VERSION = 3;

/** What the last index run left about one file, beside the graph. */
export interface FileState {
  /** SHA-256 of the content that was extracted; empty when extraction failed and is to be tried again. */
  readonly hash: string;
  /** Extractor and writer that did it: `typescript@1/1`. */
  readonly by: string;
  /** Digest of the part of the graph that was written; null while it is not written. */
  readonly part: string | null;
}

const FileStateSchema = z.object({ hash: z.string(), by: z.string(), part: z.string().nullable() });

/** The name under which a file's state is kept. */
export const stateName = (path: string): string => `state/${path}`;
/** The name under which a file's facts are kept. */
export const factsName = (path: string): string => `facts/${path}`;
/** The name under which the state of the part that files share is kept: no path of a file can be it. */
export const SHARED_STATE = 'shared';
/** The name under which the last run's answer is kept: a run that finds nothing changed gives its figures again. */
export const LAST_OUTPUT = 'output';
/** The name of the mark that tells whether all edges are written. */
export const PROGRESS_MARK = 'progress';

/** Who extracts and writes: a file whose state names another is done again. */
export function writtenBy(language: { name: string; version: number } | null): string {
  return `${language ? `${language.name}@${language.version}` : 'none'}/${WRITER_VERSION}`;
}

/** A value as the bytes that are kept. */
export function toBytes(value: FileState | FileFacts | IndexProgress | IndexOutput): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** A file's state from its bytes; undefined when there is none or it is not readable. */
export function readState(bytes: Uint8Array | undefined): FileState | undefined {
  const parsed = FileStateSchema.safeParse(fromBytes(bytes));
  return parsed.success ? parsed.data : undefined;
}

/** Facts from their bytes. They were written by this program under a version that was checked. */
export function readFacts(bytes: Uint8Array | undefined): FileFacts | undefined {
  return fromBytes(bytes) as FileFacts | undefined;
}

/** How far indexing came: kept in the store, so that a kill at any point is seen by the next reader. */
export interface IndexProgress {
  /** Counts index runs. */
  readonly generation: number;
  /** False while nodes or edges are still missing. */
  readonly complete: boolean;
}

const IndexProgressSchema = z.object({ generation: z.number().int(), complete: z.boolean() });

/** The progress mark from its bytes; undefined when nothing was ever indexed. */
export function readProgress(bytes: Uint8Array | undefined): IndexProgress | undefined {
  const parsed = IndexProgressSchema.safeParse(fromBytes(bytes));
  return parsed.success ? parsed.data : undefined;
}

/** The last run's answer; undefined when there is none. */
export function readOutput(bytes: Uint8Array | undefined): IndexOutput | undefined {
  const parsed = IndexOutput.safeParse(fromBytes(bytes));
  return parsed.success ? parsed.data : undefined;
}

function fromBytes(bytes: Uint8Array | undefined): unknown {
  if (!bytes) return undefined;
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}
