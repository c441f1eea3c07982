import type { StepsContext } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import {
  type DiscoveredFile,
  type DiscoverOptions,
  decidesForOthers,
  discover,
  insideRoot,
  isManifest,
  languageOf,
  type ManifestText,
  readManifests,
  readText,
  type SkippedFile,
} from '../../source/index.js';
import { directoriesOf } from './directory-parts.js';
import { isSameFile, writtenBy } from './file-state.js';
import type { ProjectIndex, ProjectState } from './project-index.js';
import { turn } from './turn.js';

/** What a run is about: files as they are on disk, and files that are there no more. */
export interface Scope {
  /** In path order. */
  readonly files: readonly DiscoveredFile[];
  /** Paths that the index has and that are not there, or not taken, any more. */
  readonly absent: readonly string[];
  readonly skipped: readonly SkippedFile[];
  readonly project: ProjectState;
}

/** What an index run may be told. */
export interface IndexInput {
  /** `full`: everything is extracted again. */
  readonly mode: 'full' | 'incremental';
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Larger files are skipped. */
  readonly max_file_bytes: number;
}

/**
 * The whole project.
 *
 * @throws CodewalkError `INVALID_ROOT`, `INVALID_INPUT` (a glob), `CANCELLED`.
 */
export async function projectScope(
  context: StepsContext,
  index: ProjectIndex,
  { mode, include, exclude, max_file_bytes }: IndexInput,
): Promise<Scope> {
  const { files, skipped } = await discover(rootOf(context), {
    languageOf,
    include,
    exclude,
    limits: { maxFileBytes: max_file_bytes },
    ...(mode === 'full' ? {} : { known: knownFile(index) }),
    signal: context.signal,
    pause: context.pause,
    onProgress: (decided) => context.progress({ phase: 'discover', done: decided, total: null }),
  });
  if (files.length === 0 && index.states.size > 0) refuseNewGlobs(index.project, { include, exclude });
  const found = new Set(files.map(({ path }) => path));
  await turn(context);
  const manifests = readManifests(files.flatMap(manifestText));
  return {
    files,
    absent: [...index.states.keys()].filter((path) => !found.has(path)),
    skipped,
    project: { manifests, include: [...include], exclude: [...exclude], max_file_bytes },
  };
}

type Globs = Pick<IndexInput, 'include' | 'exclude'>;

/** Globs of the last run that match nothing any more are true: its files are gone. Others are a slip. */
function refuseNewGlobs(before: Globs, { include, exclude }: Globs): void {
  if (isSame(include, before.include) && isSame(exclude, before.exclude)) return;
  if (include.length + exclude.length === 0) return;
  const said = [
    ...(include.length === 0 ? [] : [`include '${include.join("', '")}'`]),
    ...(exclude.length === 0 ? [] : [`exclude '${exclude.join("', '")}'`]),
  ];
  throw new CodewalkError('INVALID_INPUT', `${said.join(' and ')}: no file is left; nothing was changed`, {
    input: { include: [...include], exclude: [...exclude] },
    suggestion:
      "Globs are relative to the project root, as 'src/**'; 'codewalk index --list' with the same globs says what they take.",
  });
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at]);
}

function manifestText(file: DiscoveredFile): ManifestText[] {
  const read = isManifest(file.path) ? readText(file) : null;
  return read?.ok ? [{ path: file.path, text: read.text }] : [];
}

/** What paths came to that somebody asked to update. */
export interface AskedScope extends Scope {
  /** The asked paths, root-relative, each once. */
  readonly asked: readonly string[];
  /** A file among them that decides about others, and is not what it was: the whole project has to be looked at. */
  readonly deciding: string | null;
}

/**
 * What stands at paths, and beneath those that are folders. Looks at nothing else but the folders and ignore files on
 * the way.
 *
 * @throws CodewalkError `PATH_OUTSIDE_ROOT`, `CANCELLED`.
 */
export async function askedScope(
  context: StepsContext,
  index: ProjectIndex,
  paths: readonly string[],
): Promise<AskedScope> {
  const root = rootOf(context);
  const asked = [...new Set(paths.map((path) => insideRoot(root, path).path))];
  const { include, exclude, max_file_bytes } = index.project;
  const { files, skipped } = await discover(root, {
    languageOf,
    include,
    exclude,
    limits: { maxFileBytes: max_file_bytes },
    only: asked,
    known: knownFile(index),
    signal: context.signal,
    pause: context.pause,
  });
  const found = new Set(files.map(({ path }) => path));
  // What is now a folder is no file any more.
  const folders = directoriesOf(found);
  const isAsked = (path: string) => folders.has(path) || asked.some((one) => isAtOrBeneath(path, one));
  const absent = [...index.states.keys()].filter((path) => !found.has(path) && isAsked(path));
  const changed = files.filter((file) => {
    const state = index.states.get(file.path);
    return !state || !isSameFile(state, file);
  });
  const touched = [...changed.map(({ path }) => path), ...absent, ...asked];
  const unchanged = new Set(files.filter((file) => !changed.includes(file)).map(({ path }) => path));
  const deciding = touched.find(
    (path) => !unchanged.has(path) && (isManifest(path) || decidesForOthers(path)),
  );
  return { files, absent, skipped, project: index.project, asked, deciding: deciding ?? null };
}

/** Whether a path is this one or lies beneath it; everything lies beneath `''`. */
export function isAtOrBeneath(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`);
}

/** Files that are what they were, read by those who would read them now, are not opened again. */
export function knownFile({ states }: ProjectIndex): NonNullable<DiscoverOptions['known']> {
  return (path, status) => {
    const state = states.get(path);
    if (!state || !isSameFile(state, status)) return null;
    const { language, plain } = state;
    const extractor = plain === null ? languageOf(path) : null;
    if (state.by !== writtenBy(extractor)) return null;
    if (plain === 'language' && languageOf(path) !== null) return null;
    return { language, plain, extracted: plain === null };
  };
}

/** The project root of a context. */
export function rootOf({ projectRoot }: Pick<StepsContext, 'projectRoot'>): string {
  if (projectRoot !== null) return projectRoot;
  throw new CodewalkError('INVALID_ROOT', 'a graph in memory has no project to index', {
    suggestion: 'Open the graph of a folder.',
  });
}
