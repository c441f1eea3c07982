import type { StepsContext } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import {
  type DiscoveredFile,
  type DiscoverOptions,
  type Discovery,
  decidesForOthers,
  discover,
  type ExtractionPool,
  foldersAbove,
  insideRoot,
  isManifest,
  languageOf,
  type MakeDocuments,
  readManifests,
  readText,
  TOO_SLOW,
} from '../../source/index.js';
import { directoriesOf } from './graph-part.js';
import type { FileProblem } from './index-output.js';
import type { ProjectIndex } from './project-index.js';
import { type FileState, isSameFile, type ProjectState, stampOf, writtenBy } from './state.js';
import { throwIfOver, turn } from './write.js';

/** The input of an index run. */
export interface IndexInput extends Omit<ProjectState, 'manifests'> {
  /** `full`: everything is extracted again. */
  readonly mode: 'full' | 'incremental';
}

/** What a run is about: files as they are on disk, in path order, and files that are there no more. */
export interface Scope extends Pick<Discovery, 'files' | 'skipped'> {
  /** Paths that the index has and that are not there, or not taken, any more. */
  readonly absent: readonly string[];
  readonly project: ProjectState;
}

/** The project root of a context. */
export function rootOf({ projectRoot }: Pick<StepsContext, 'projectRoot'>): string {
  if (projectRoot !== null) return projectRoot;
  throw new CodewalkError('INVALID_ROOT', 'a graph in memory has no project to index', {
    suggestion: 'Open the graph of a folder.',
  });
}

/** Finds the files of a project by its rules. @throws CodewalkError `INVALID_ROOT`, `INVALID_INPUT`, `CANCELLED`. */
export function discoverFiles(
  context: StepsContext,
  { include, exclude, max_file_bytes }: Omit<ProjectState, 'manifests'>,
  options: Pick<DiscoverOptions, 'only' | 'known' | 'onProgress'> = {},
): Promise<Discovery> {
  const { signal, pause } = context;
  const limits = { maxFileBytes: max_file_bytes };
  return discover(rootOf(context), { languageOf, include, exclude, limits, signal, pause, ...options });
}

/** The whole project. @throws CodewalkError as {@link discoverFiles}. */
export async function projectScope(
  context: StepsContext,
  index: ProjectIndex,
  { mode, ...rules }: IndexInput,
): Promise<Scope> {
  const { files, skipped } = await discoverFiles(context, rules, {
    ...(mode === 'full' ? {} : { known: knownFile(index) }),
    onProgress: (decided) => context.progress({ phase: 'discover', done: decided, total: null }),
  });
  if (files.length === 0 && index.states.size > 0) refuseNewGlobs(index.project, rules);
  const found = new Set(files.map(({ path }) => path));
  await turn(context);
  const manifests = readManifests(
    files.flatMap((file) => {
      const read = isManifest(file.path) ? readText(file) : null;
      return read?.ok ? [{ path: file.path, text: read.text }] : [];
    }),
  );
  const absent = [...index.states.keys()].filter((path) => !found.has(path));
  const { include, exclude, max_file_bytes } = rules;
  return { files, absent, skipped, project: { manifests, include, exclude, max_file_bytes } };
}

/** Globs of the last run that match nothing any more are true: its files are gone. Others are a slip. */
function refuseNewGlobs(before: ProjectState, { include, exclude }: Pick<IndexInput, 'include' | 'exclude'>) {
  const isSame = JSON.stringify([include, exclude]) === JSON.stringify([before.include, before.exclude]);
  if (isSame || include.length + exclude.length === 0) return;
  const globs = Object.entries({ include, exclude })
    .filter(([, some]) => some.length > 0)
    .map(([name, some]) => `${name} '${some.join("', '")}'`);
  throw new CodewalkError('INVALID_INPUT', `${globs.join(' and ')}: no file is left; nothing was changed`, {
    input: { include, exclude },
    suggestion:
      "Globs are relative to the project root, as 'src/**'; 'codewalk index --list' with the same globs says what they take.",
  });
}

/**
 * What stands at paths, and beneath those that are folders, and which of the indexed files there are gone. Looks at
 * nothing else but the folders and ignore files on the way.
 *
 * @param paths Root-relative, NFC.
 */
export async function lookAt(
  context: StepsContext,
  index: ProjectIndex,
  paths: readonly string[],
): Promise<Discovery & Pick<Scope, 'absent'>> {
  const discovery = await discoverFiles(context, index.project, { only: paths, known: knownFile(index) });
  const found = new Set(discovery.files.map(({ path }) => path));
  // What is now a folder is no file any more.
  const folders = directoriesOf(found);
  const asked = new Set(paths);
  const isAsked = (path: string) =>
    asked.has('') || asked.has(path) || folders.has(path) || foldersAbove(path).some((at) => asked.has(at));
  return {
    ...discovery,
    absent: [...index.states.keys()].filter((path) => !found.has(path) && isAsked(path)),
  };
}

/** What update requests name. */
export interface AskedScope extends Scope {
  /** The asked paths, root-relative, each once. */
  readonly asked: readonly string[];
  /** A file among them that decides about others, and is not what it was: the whole project has to be looked at. */
  readonly deciding: string | null;
}

/** What stands at paths that a caller asked to update. @throws CodewalkError `PATH_OUTSIDE_ROOT`, `CANCELLED`. */
export async function askedScope(
  context: StepsContext,
  index: ProjectIndex,
  paths: readonly string[],
): Promise<AskedScope> {
  const root = rootOf(context);
  const asked = [...new Set(paths.map((path) => insideRoot(root, path).path))];
  const { files, skipped, absent } = await lookAt(context, index, asked);
  const unchanged = new Set<string>();
  for (const file of files) {
    const state = index.states.get(file.path);
    if (state && isSameFile(state, file)) unchanged.add(file.path);
  }
  const touched = [...files.map(({ path }) => path), ...absent, ...asked];
  const deciding = touched.find((path) => !unchanged.has(path) && isDeciding(path)) ?? null;
  return { files, absent, skipped, project: index.project, asked, deciding };
}

/** Whether a file decides about others: a manifest, an ignore file. */
export function isDeciding(path: string): boolean {
  return isManifest(path) || decidesForOthers(path);
}

/** Whether a path is this one or lies beneath it; everything lies beneath `''`. */
export function isAtOrBeneath(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Files that are what they were, read by those who would read them now, are not opened again. */
function knownFile({ states }: ProjectIndex): NonNullable<DiscoverOptions['known']> {
  return (path, status) => {
    const state = states.get(path);
    if (!state || !isSameFile(state, status)) return null;
    const { language, plain } = state;
    const extracted = plain === null;
    if (state.by !== writtenBy({ path, extracted })) return null;
    if (plain === 'language' && languageOf(path) !== null) return null;
    return { language, plain, extracted };
  };
}

/** What a run learned of one file. */
export type FileNews =
  /** Its content, its extractor or our writer is another than last time. */
  | {
      readonly kind: 'changed';
      readonly path: string;
      readonly state: Omit<FileState, 'offers' | 'part' | 'written'>;
      /** Its facts as they are stored; null without any. */
      readonly facts: Uint8Array | null;
      /** Digest of what other files see of them; empty without facts. */
      readonly offers: string;
      /** The documents of the text index, as `documentMaker` made them. */
      readonly documents: Uint8Array;
    }
  /** It was touched: its content is as before. */
  | ({ readonly kind: 'touched'; readonly path: string } & Pick<FileState, 'stamp' | 'mtime_ms'>)
  /** It cannot be read: as if it were not there. */
  | { readonly kind: 'lost'; readonly path: string };

/** What finding changes needs. */
export interface Reading {
  readonly context: StepsContext;
  readonly states: ReadonlyMap<string, FileState>;
  readonly pool: ExtractionPool;
  /** What makes documents of files that are not extracted; the pool makes them of all others. */
  readonly documentsOf: MakeDocuments;
  /** Whether every file is extracted again. */
  readonly full: boolean;
  /** Gets what goes wrong with single files. */
  readonly problems: FileProblem[];
}

/** Files that are to be looked at: all but those that are, by their status, what they were. */
export function suspects(
  files: readonly DiscoveredFile[],
  { states, full }: Pick<Reading, 'states' | 'full'>,
): DiscoveredFile[] {
  return files.filter((file) => {
    const state = states.get(file.path);
    return full || !state || state.by !== writtenBy(file) || state.hash === '' || !isSameFile(state, file);
  });
}

const NO_FACTS = { facts: null, offers: '' };

/**
 * Reads suspects and extracts those whose content is another than it was; one by one. What is not extracted is read
 * while threads start to extract the rest.
 */
export async function* newsOf(files: readonly DiscoveredFile[], reading: Reading): AsyncGenerator<FileNews> {
  const { context, states, full } = reading;
  const now = context.now();
  const toExtract: DiscoveredFile[] = [];
  const plain: DiscoveredFile[] = [];
  for (const file of files) {
    throwIfOver(context);
    const state = states.get(file.path);
    const isSuspect = !full && state?.by === writtenBy(file) && state.hash !== '';
    if (!isSuspect) {
      (file.extracted ? toExtract : plain).push(file);
      continue;
    }
    const news = readNews(file, state, reading, now);
    if (news) yield news;
    else toExtract.push(file);
  }
  const extraction = extracted(toExtract, reading, now);
  const first = extraction.next();
  // One that fails is told when its answer is asked for.
  first.catch(() => undefined);
  try {
    for (const file of plain) {
      throwIfOver(context);
      const news = readNews(file, null, reading, now);
      if (news) yield news;
    }
    const { value, done } = await first;
    if (done) return;
    yield value;
    yield* extraction;
  } finally {
    await extraction.return(undefined);
  }
}

/** What reading a file tells of it. @param state Of one that may be what it was. @returns null where it has to be extracted. */
function readNews(
  file: DiscoveredFile,
  state: FileState | null,
  { problems, documentsOf }: Reading,
  now: number,
): FileNews | null {
  const { path } = file;
  const read = readText(file);
  if (!read.ok) {
    problems.push({ path, reason: read.reason, detail: read.detail });
    return { kind: 'lost', path };
  }
  if (state?.hash === read.hash)
    return { kind: 'touched', path, stamp: stampOf(file, now), mtime_ms: file.mtimeMs };
  if (file.extracted) return null;
  // What is minified has no words.
  const text = file.plain === 'minified' ? '' : read.text;
  const documents = documentsOf({ path, text, facts: null });
  return { kind: 'changed', path, state: stateOf(file, read, now), ...NO_FACTS, documents };
}

async function* extracted(
  files: readonly DiscoveredFile[],
  { context, pool, problems, documentsOf }: Reading,
  now: number,
): AsyncGenerator<FileNews> {
  const byPath = new Map(files.map((file) => [file.path, file]));
  try {
    for await (const one of pool.extract(files, { signal: context.signal })) {
      const { path } = one;
      const file = byPath.get(path);
      if (!file) continue;
      const documents = one.documents ?? documentsOf({ path, text: '', facts: null });
      const isTooSlow = !one.ok && one.reason === TOO_SLOW;
      if (!one.ok && !isTooSlow) problems.push({ path, reason: one.reason, detail: one.detail });
      if (!one.content) yield { kind: 'lost', path };
      else if (one.ok) {
        const state = { ...stateOf(file, one.content, now), extracted: true };
        yield { kind: 'changed', path, state, facts: one.facts, offers: one.offers, documents };
      } else {
        // What failed is tried again by the next run, whether or not its content changes; what took too long is not.
        const { reason, detail } = one;
        const failed = isTooSlow ? { problem: { reason, detail } } : { hash: '' };
        const state = { ...stateOf(file, one.content, now), ...failed };
        yield { kind: 'changed', path, state, ...NO_FACTS, documents };
      }
    }
  } catch (thrown) {
    // The pool's own error for a signal that aborted does not tell a deadline from a cancellation.
    throwIfOver(context);
    throw thrown;
  }
}

function stateOf(
  file: DiscoveredFile,
  { hash, size }: { readonly hash: string; readonly size: number },
  now: number,
): Omit<FileState, 'offers' | 'part' | 'written'> {
  const { mtimeMs, language, plain } = file;
  const stamp = stampOf(file, now);
  const by = writtenBy(file);
  return { hash, by, stamp, size, mtime_ms: mtimeMs, language, plain, extracted: false, problem: null };
}
