import type { StepsContext } from '../../runtime/index.js';
import {
  type Beside,
  type DiscoveredFile,
  type ExtractionPool,
  type FileFacts,
  factsFromBytes,
  languageOf,
  readText,
  TOO_SLOW,
} from '../../source/index.js';
import { type FileState, isSameFile, stampOf, writtenBy } from './file-state.js';
import { throwIfOver } from './turn.js';

/** Something that went wrong with one file; the run went on. */
export interface FileProblem {
  readonly path: string;
  /** A skip reason of discovery (`not-utf8`, `vanished`…), `syntax-error`, `too-slow`, `too-many-steps`, or an error code. */
  readonly reason: string;
  readonly detail: string;
}

/** What a run learned of one file. */
export type FileNews =
  /** Its content, its extractor or our writer is another than last time. */
  | {
      readonly kind: 'changed';
      readonly path: string;
      readonly state: Omit<FileState, 'offers' | 'part' | 'written'>;
      readonly facts: FileFacts | null;
      /** The facts as they are kept. */
      readonly bytes: Uint8Array | null;
      /** What other files see of them; empty without facts. */
      readonly offers: string;
      /** The documents of the text index, as `documentMaker` made them. */
      readonly documents: Uint8Array;
    }
  /** It was touched: its content is as before. */
  | {
      readonly kind: 'touched';
      readonly path: string;
      readonly stamp: FileState['stamp'];
      readonly mtime_ms: number;
    }
  /** It cannot be read: as if it were not there. */
  | { readonly kind: 'lost'; readonly path: string };

/** What finding changes needs. */
export interface Reading {
  readonly context: StepsContext;
  readonly states: ReadonlyMap<string, FileState>;
  readonly pool: ExtractionPool;
  /** What makes documents of files that are not extracted; the pool makes them of all others. */
  readonly documentsOf: Beside;
  /** Whether every file is extracted again. */
  readonly full: boolean;
  readonly problems: FileProblem[];
}

/** Files that are to be looked at: all but those that are, by their status, what they were. */
export function suspects(
  files: readonly DiscoveredFile[],
  { states, full }: Pick<Reading, 'states' | 'full'>,
): DiscoveredFile[] {
  if (full) return [...files];
  return files.filter((file) => {
    const state = states.get(file.path);
    return !state || state.by !== byOf(file) || state.hash === '' || !isSameFile(state, file);
  });
}

/** Reads suspects and extracts those whose content is another than it was; in path order, one by one. */
export async function* newsOf(files: readonly DiscoveredFile[], reading: Reading): AsyncGenerator<FileNews> {
  const { context, states, full, problems, documentsOf } = reading;
  const now = context.now();
  const toExtract: DiscoveredFile[] = [];
  for (const file of files) {
    throwIfOver(context);
    const { path } = file;
    const state = states.get(path);
    const isSuspect = !full && state?.by === byOf(file) && state.hash !== '';
    if (!isSuspect && file.extracted) {
      toExtract.push(file);
      continue;
    }
    const read = readText(file);
    if (!read.ok) {
      problems.push({ path, reason: read.reason, detail: read.detail });
      yield { kind: 'lost', path };
    } else if (isSuspect && state.hash === read.hash)
      yield { kind: 'touched', path, stamp: stampOf(file, now), mtime_ms: file.mtimeMs };
    else if (file.extracted) toExtract.push(file);
    else {
      // What is minified has no words.
      const text = file.plain === 'minified' ? '' : read.text;
      const documents = documentsOf({ path, text, facts: null });
      yield { kind: 'changed', path, state: stateOf(file, read, now), ...NO_FACTS, documents };
    }
  }
  yield* extracted(toExtract, reading, now);
}

async function* extracted(
  files: readonly DiscoveredFile[],
  { context, pool, problems, documentsOf }: Reading,
  now: number,
): AsyncGenerator<FileNews> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  for await (const one of answersOf(pool, files, context)) {
    const { path } = one;
    const file = byPath.get(path);
    if (!file) continue;
    const documents = one.beside ?? documentsOf({ path, text: '', facts: null });
    const isTooSlow = !one.ok && one.reason === TOO_SLOW;
    if (!one.ok && !isTooSlow) problems.push({ path, reason: one.reason, detail: one.detail });
    if (!one.content) yield { kind: 'lost', path };
    else if (one.ok) {
      const state = { ...stateOf(file, one.content, now), extracted: true };
      const { facts: bytes, offers } = one;
      yield { kind: 'changed', path, state, facts: factsFromBytes(bytes), bytes, offers, documents };
    } else {
      // What failed is tried again by the next run, whether or not its content changes; what took too long is not.
      const { reason, detail } = one;
      const failed = isTooSlow ? { problem: { reason, detail } } : { hash: '' };
      const state = { ...stateOf(file, one.content, now), ...failed };
      yield { kind: 'changed', path, state, ...NO_FACTS, documents };
    }
  }
}

const NO_FACTS = { facts: null, bytes: null, offers: '' };

/** The pool's own error for a signal that aborted does not tell a deadline from a cancellation. */
async function* answersOf(pool: ExtractionPool, files: readonly DiscoveredFile[], context: StepsContext) {
  try {
    yield* pool.extract(files, { signal: context.signal });
  } catch (thrown) {
    throwIfOver(context);
    throw thrown;
  }
}

function stateOf(
  file: DiscoveredFile,
  content: { readonly hash: string; readonly size: number },
  now: number,
): Omit<FileState, 'offers' | 'part' | 'written'> {
  return {
    hash: content.hash,
    by: byOf(file),
    stamp: stampOf(file, now),
    size: content.size,
    mtime_ms: file.mtimeMs,
    language: file.language,
    plain: file.plain,
    extracted: false,
    problem: null,
  };
}

/** Who would extract and write a file now, as in its state. */
export function byOf({ path, extracted }: DiscoveredFile): string {
  return writtenBy(extracted ? languageOf(path) : null);
}
