import type { StepsContext } from '../../../runtime/index.js';
import {
  type DiscoveredFile,
  type Discovery,
  isManifest,
  type Language,
  languageOf,
  moduleNames,
  type PackageManifest,
  readManifests,
  readText,
} from '../../../source/index.js';
import { type FileState, readState, stateName, writtenBy } from './file-state.js';
import type { FileProblem } from './read-project.js';
import { turn } from './turn.js';

/** One file of the project as this run found it. */
export interface ProjectFile {
  readonly file: DiscoveredFile;
  /** SHA-256 of the content, lower-case hex. */
  readonly hash: string;
  /** Who extracts it; null for a plain file. */
  readonly language: Language | null;
  /** What the last run left; undefined for a file it did not see. */
  readonly state: FileState | undefined;
}

/** The content that was extracted, where it may be another than what was read when the run began. */
export interface Content {
  /** SHA-256, lower-case hex. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
}

/** Every file of the project, read once, with what its names follow from. */
export interface ProjectFiles {
  /** In path order. */
  readonly files: readonly ProjectFile[];
  readonly manifests: readonly PackageManifest[];
  /** Qualified module names by path. */
  readonly modules: ReadonlyMap<string, string>;
}

/** Reads every discovered file: hashes of all, texts of manifests. A file that cannot be read becomes a problem. */
export async function readProjectFiles(
  context: StepsContext,
  discovery: Discovery,
  loaded: ReadonlySet<string>,
  problems: FileProblem[],
): Promise<ProjectFiles> {
  const found = discovery.files;
  const states = await context.blobs(found.map(({ path }) => stateName(path)));
  const files: ProjectFile[] = [];
  const manifests: { path: string; text: string }[] = [];
  for (const [i, file] of found.entries()) {
    if (i % 128 === 0) {
      context.progress({ phase: 'read', done: i, total: found.length, item: file.path });
      await turn(context);
    }
    const read = readText(file);
    if (!read.ok) {
      problems.push({ path: file.path, reason: read.reason, detail: read.detail });
      continue;
    }
    if (isManifest(file.path)) manifests.push({ path: file.path, text: read.text });
    const extractor = file.extracted ? languageOf(file.path) : null;
    const language = extractor && loaded.has(extractor.name) ? extractor : null;
    files.push({
      file: { ...file, size: read.size },
      hash: read.hash,
      language,
      state: readState(states[i]),
    });
  }
  const packages = readManifests(manifests);
  return {
    files,
    manifests: packages,
    modules: moduleNames(
      files.map(({ file }) => file.path),
      packages,
    ),
  };
}

/** The project as it is when these files are not there. */
export function withoutFiles(project: ProjectFiles, lost: ReadonlySet<string>): ProjectFiles {
  if (lost.size === 0) return project;
  const files = project.files.filter(({ file }) => !lost.has(file.path));
  const paths = files.map(({ file }) => file.path);
  return { files, manifests: project.manifests, modules: moduleNames(paths, project.manifests) };
}

/** Whether a file has to be extracted again: its content, its extractor or our writer is another than last time. */
export function isChanged({ hash, language, state }: ProjectFile): boolean {
  return state === undefined || state.hash !== hash || state.by !== writtenBy(language);
}
