import { z } from 'zod';
import type { ReadContext } from '../../runtime/index.js';
import { LIMITS, projectNotIndexed } from '../../schema/index.js';
import { WORDS_VERSION } from '../../search/index.js';
import {
  type DiscoveredFile,
  type FileStatus,
  type LookupKey,
  languageOf,
  type PackageManifest,
} from '../../source/index.js';
import { CODE_TEXT } from './documents.js';
import { SharedNode } from './graph-part.js';

/** Raised when what indexing writes for the same facts changes, or how facts are stored: every file is written again. */
const WRITER_VERSION = 27;

const count = z.number().int();

/** Size, times and inode of a file when it was read: while they are the same, so is its content. */
const FileStamp = z.tuple([z.number(), z.number(), z.number(), z.number()]);
export type FileStamp = z.infer<typeof FileStamp>;

/** Something that stays wrong with a file until it, or who extracts it, changes. */
const Problem = z.object({ reason: z.string(), detail: z.string() });

/** What of a file the graph was written from, and what the totals of a run are sums of. */
const WrittenPart = z.object({
  /** The qualified name of the file's module. */
  module: z.string(),
  /** What the resolution of the file looked at elsewhere. */
  looked: z.array(z.custom<LookupKey>((key) => typeof key === 'string')),
  /** The modules that it names, as written; null where that was not noted. */
  modules: z.array(z.string()).nullable().default(null),
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

/** What index runs store of the content of one file, alongside the graph. */
const ContentState = z.object({
  /** SHA-256 of the content that was extracted; empty when extraction failed and is to be tried again. */
  hash: z.string(),
  /** Extractor and writer that did it: `typescript@1/1`. */
  by: z.string(),
  /** Bytes. */
  size: count,
  language: z.string(),
  plain: z.enum(['language', 'minified']).nullable(),
  /** Whether facts are stored. */
  extracted: z.boolean(),
  /** Why none are, where another try would end the same. */
  problem: Problem.nullable().default(null),
  /**
   * Digest of the interface that other files were resolved against, empty without facts; null while no file was
   * resolved in its presence.
   */
  offers: z.string().nullable(),
  /** Basis of the part of the graph that was written, a digest of all that it follows from; null while none is. */
  part: z.string().nullable(),
  /** Null while nothing was ever written. */
  written: WrittenPart.nullable(),
});

/** When a file was read: its stamp, and when it was modified. Stored apart: a checkout changes it, and no content. */
const FileSeen = z.tuple([FileStamp.nullable(), z.number()]);

/** What index runs store of one file. */
export interface FileState extends z.infer<typeof ContentState> {
  /** Null when the file was written just before it was read: what was written then may not show in its times. */
  readonly stamp: FileStamp | null;
  readonly mtime_ms: number;
}

/** What is stored of the project as a whole. */
const ProjectState = z.object({
  /** As they were when files were last resolved. */
  manifests: z.array(z.custom<PackageManifest>((value) => typeof value === 'object' && value !== null)),
  include: z.array(z.string()),
  exclude: z.array(z.string()),
  max_file_bytes: z.number().default(LIMITS.fileBytes.default),
});
export type ProjectState = z.infer<typeof ProjectState>;

/** How far indexing came: stored, so that a kill at any point is seen by the next reader. */
const IndexProgress = z.object({
  /** Counts the index runs that wrote. */
  generation: z.number().int(),
  /** False while nodes or edges are still missing. */
  complete: z.boolean(),
  /** Files that are still to be written, as far as it is known. */
  pending: z.number().int().default(0),
});
export type IndexProgress = z.infer<typeof IndexProgress>;

/** What the text index was made by; there is none while it is being rebuilt. */
const TextMark = z.object({
  index: z.string(),
  /** Version of what splits texts into words. */
  words: z.number().int(),
});
export type TextMark = z.infer<typeof TextMark>;

/** What a text index is made by now. */
export const TEXT_MARK_NOW: TextMark = { index: CODE_TEXT.name, words: WORDS_VERSION };

/** The name of the mark that says how far indexing came. */
export const PROGRESS_MARK = 'progress';
/** The name under which the project as a whole is stored. */
export const PROJECT_STATE = 'project';
/** The name of the mark that says what the text index was made by. */
export const TEXT_MARK = 'texts';
/** The name of the mark that the graph has nodes or edges that no index run wrote. */
export const WRITTEN_MARK = 'written';
/** What the names of the states of all files begin with. */
export const STATES = 'state/';
/** The name under which a file's state is stored. */
export const stateName = (path: string): string => `${STATES}${path}`;
/** What the names of what {@link seenBytes} makes begin with. */
export const SEEN = 'seen/';
/** The name under which it is stored when a file was read. */
export const seenName = (path: string): string => `${SEEN}${path}`;
/** The name under which a file's facts are stored. */
export const factsName = (path: string): string => `facts/${path}`;

/** A value as the bytes that are stored. */
export function toBytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}

/** The value of bytes that {@link toBytes} made; undefined when there are none, or they are not readable. */
export function fromBytes<T>(bytes: Uint8Array | undefined, shape: z.ZodType<T>): T | undefined {
  if (!bytes) return undefined;
  try {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
    return shape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** What is stored of the content of a file. */
export function stateBytes({ stamp, mtime_ms, ...state }: FileState): Uint8Array {
  return toBytes(state);
}

/** What is stored of when a file was read. */
export function seenBytes({ stamp, mtime_ms }: Pick<FileState, 'stamp' | 'mtime_ms'>): Uint8Array {
  return toBytes([stamp, mtime_ms]);
}

/** A file's state from its bytes. @param seen None, or not readable: the file is to be read again. */
export function readState(bytes: Uint8Array | undefined, seen?: Uint8Array): FileState | undefined {
  const state = fromBytes(bytes, ContentState);
  const [stamp, mtime_ms] = fromBytes(seen, FileSeen) ?? [null, 0];
  return state && { ...state, stamp, mtime_ms };
}

/** The progress mark from its bytes; undefined when nothing was ever indexed. */
export function readProgress(bytes: Uint8Array | undefined): IndexProgress | undefined {
  return fromBytes(bytes, IndexProgress);
}

/** The mark of the text index from its bytes; undefined where there is no whole one. */
export function readTextMark(bytes: Uint8Array | undefined): TextMark | undefined {
  return fromBytes(bytes, TextMark);
}

/** What is stored of the project as a whole; undefined where there is nothing, or it cannot be read. */
export async function storedProject({
  blobs,
}: Pick<ReadContext, 'blobs'>): Promise<ProjectState | undefined> {
  const [project] = await blobs([PROJECT_STATE]);
  return fromBytes(project, ProjectState);
}

/** What an answer from a graph whose last index run did not finish says among what was cut. */
export const UNFINISHED =
  'An index run did not finish: nodes and edges are missing; codewalk index --mode incremental goes on.';

/** What an answer's `state` says of an index run that did not finish. */
export interface MissingState {
  readonly cut: readonly string[];
  /** Files that are still to be written, as far as it is known. */
  readonly pending: number;
}

/** The last run finished. */
export const NOTHING_MISSING: MissingState = { cut: [], pending: 0 };

/** What an answer's `state` says by the mark that the last run left. */
export function unfinishedState({ complete, pending }: IndexProgress): MissingState {
  return complete ? NOTHING_MISSING : { cut: [UNFINISHED], pending };
}

/**
 * How far indexing came in the graph that is asked.
 *
 * @throws CodewalkError `PROJECT_NOT_INDEXED` when it never began.
 */
export async function indexProgress({
  blobs,
  projectRoot,
}: Pick<ReadContext, 'blobs' | 'projectRoot'>): Promise<IndexProgress> {
  const [mark] = await blobs([PROGRESS_MARK]);
  const progress = readProgress(mark);
  if (progress) return progress;
  throw projectNotIndexed(projectRoot);
}

/** Who would extract and write a file now, as in its state: a file whose state names another is done again. */
export function writtenBy({ path, extracted }: Pick<DiscoveredFile, 'path' | 'extracted'>): string {
  const language = extracted ? languageOf(path) : null;
  return `${language ? `${language.name}@${language.version}` : 'none'}/${WRITER_VERSION}`;
}

/** Milliseconds within which a file can be written again without its times showing it, on any file system we know. */
const RACY_MS = 100;

/** The stamp of a file that is read now; null when its times are too young to be believed. */
export function stampOf({ size, mtimeMs, ctimeMs, inode }: Omit<FileStatus, 'kind'>, now: number) {
  if (Math.max(ctimeMs, mtimeMs) > now - RACY_MS) return null;
  return [size, mtimeMs, ctimeMs, inode] satisfies FileStamp;
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
