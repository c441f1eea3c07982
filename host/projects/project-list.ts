import { readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
// As a namespace: a client's bundle holds what is used of it, without the messages of all languages.
import * as z from 'zod';
import { compareText } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import { firstCommit, gitTop, platformOf } from '../../source/index.js';
import { homesUnder, isFolder, type ProjectHomes, pathHash } from '../../storage/index.js';
import { readConfig } from '../config.js';
import { entriesOf, folderSize, writeWhole } from '../files.js';
import { graphsFolderOf, type HomeOptions, homesOf } from '../surroundings.js';

/** ISO 8601. */
const time = z.string();

/** What is recorded of a project in its folder, for readers that do not have its stores open. */
const ProjectFile = z.object({
  /** The real path of the root. */
  root: z.string(),
  /** The path that names its history. */
  history: z.string(),
  made_at: time,
  /** To the minute. */
  used_at: time,
  /** The first commit of its repository; null where there is none, or before the first index. */
  first_commit: z.string().nullable().default(null),
  /** Where the root lies in its repository's work tree; null as above. */
  inside: z.string().nullable().default(null),
  /** The last index, with the graph's revision; null: none since this file is written. */
  index: z
    .object({ at: time, files: z.number().int(), symbols: z.number().int(), revision: z.number().int() })
    .nullable()
    .default(null),
});

export type ProjectFile = z.infer<typeof ProjectFile>;

/** What is recorded of the project of a folder; null where nothing is, or it is damaged. */
export function readProjectFile(folder: string): ProjectFile | null {
  try {
    const text = readFileSync(join(folder, 'project.json'), 'utf8');
    return ProjectFile.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** Writes the file of a project. */
export function writeProjectFile(folder: string, file: ProjectFile): void {
  writeWhole(join(folder, 'project.json'), `${JSON.stringify(file, null, 2)}\n`);
}

/** The folder that holds a root's derived layer, and its project file. */
export function projectFolder({ derived }: Pick<ProjectHomes, 'derived'>): string {
  return dirname(derived);
}

/** The homes of a root that may have vanished: then its project file names its history. */
export function knownHomes(root: string, options: HomeOptions): ProjectHomes {
  if (isFolder(root)) return homesOf(root, options);
  const graphs = graphsFolderOf(options);
  return homesUnder(graphs, root, readProjectFile(join(graphs, pathHash(root)))?.history ?? root);
}

/** Milliseconds after a use in which another one is not recorded. */
export const SAME_USE_MS = 60_000;

/** Records that a project was used, and what its index found if that was the use. Never throws. */
export function noteUse(
  homes: ProjectHomes,
  now: number,
  indexed?: Pick<ProjectFile, 'index' | 'first_commit' | 'inside'>,
): void {
  const known = readProjectFile(projectFolder(homes));
  const { root, history } = homes;
  const isSame = known?.root === root && known.history === history;
  if (!indexed && isSame && Math.abs(now - Date.parse(known.used_at)) < SAME_USE_MS) return;
  const at = new Date(now).toISOString();
  const first = { made_at: at, first_commit: null, inside: null, index: null };
  try {
    writeProjectFile(projectFolder(homes), { ...first, ...known, root, history, used_at: at, ...indexed });
  } catch {
    // A full disk is reported by what needs it.
  }
}

/** Milliseconds that git gets to find the first commit. */
const GIT_MS = 5000;

/**
 * Records an index run in the project's file. After the first one of a root it gives the vanished root that it may have
 * been before it moved, by the first commit of its repository and its place in it: of several, the one used last.
 * Null otherwise, and for answers of other walkers.
 */
export async function movedFrom(
  { root, home }: { readonly root: string | null; readonly home: string | null },
  walker: string,
  answered: { readonly output: unknown; readonly revision: number },
): Promise<string | null> {
  if (walker !== 'graph_index_project' || root === null || home === null) return null;
  const { files_total: files, symbols_total: symbols } = Object(answered.output);
  if (typeof files !== 'number' || typeof symbols !== 'number') return null;
  const homes = homesOf(root, { home });
  const known = readProjectFile(projectFolder(homes));
  const top = gitTop(root, platformOf());
  const commit = known?.first_commit ?? (top && (await firstCommit(root, AbortSignal.timeout(GIT_MS))));
  const inside = top && relative(top, root);
  const now = Date.now();
  const index = { at: new Date(now).toISOString(), files, symbols, revision: answered.revision };
  noteUse(homes, now, { index, first_commit: commit, inside });
  if (known?.index || commit === null) return null;
  const moved = listProjects({ home })
    .filter((project) => project.gone && project.first_commit === commit && project.inside === inside)
    .sort((a, b) => Date.parse(b.used_at ?? '') - Date.parse(a.used_at ?? ''));
  return moved[0]?.root ?? null;
}

/** The folders of the code graphs of a root's other worktrees, the one used last in front. */
export function siblingStores({ graphs, root, history }: ProjectHomes): string[] {
  return entriesOf(graphs)
    .flatMap(({ name }) => {
      const file = readProjectFile(join(graphs, name));
      if (!file || file.history !== history || file.root === root) return [];
      return [{ folder: homesUnder(graphs, file.root, history).derived, usedAt: Date.parse(file.used_at) }];
    })
    .sort((a, b) => b.usedAt - a.usedAt)
    .map(({ folder }) => folder);
}

/** One folder among the graphs. */
export type Project = ReturnType<typeof rowOf>;

/** Bytes on disk: of the code graph, of traces and memories, of backups of these. */
export type ProjectBytes = Project['bytes'];

/** Every project that has a graph, by root, from files alone: their stores may be open elsewhere. */
export function listProjects(options: HomeOptions = {}): Project[] {
  const graphs = graphsFolderOf(options);
  const hashes = entriesOf(graphs).filter((one) => one.isDirectory() && /^[0-9a-f]{16}$/.test(one.name));
  const files = new Map(hashes.map(({ name }) => [name, readProjectFile(join(graphs, name))]));
  // A main worktree that was never opened itself is known by its others.
  const histories = new Map(
    [...files.values()].flatMap((file) => (file ? [[pathHash(file.history), file.history]] : [])),
  );
  const { projects = {} } = readConfig(options);
  return [...files]
    .map(([hash, file]) => {
      const root = file?.root ?? histories.get(hash) ?? null;
      const paused = root !== null && Object.hasOwn(projects, root) && projects[root]?.paused === true;
      return rowOf(join(graphs, hash), file, { hash, root, paused });
    })
    .sort((a, b) => compareText(a.root ?? `\uffff${a.hash}`, b.root ?? `\uffff${b.hash}`));
}

/**
 * @param known.hash Of the root's real path: the folder's name.
 * @param known.root Null: a damaged folder, which says nothing of itself until its project is opened again.
 * @param known.paused Whether nothing is recorded in it.
 */
function rowOf(
  folder: string,
  file: ProjectFile | null,
  { hash, root, paused }: { readonly hash: string; readonly root: string | null; readonly paused: boolean },
) {
  const { history = root, index = null, used_at = null, first_commit = null, inside = null } = file ?? {};
  const isOwn = file !== null && pathHash(file.history) === hash;
  const sizeIn = (name: string) => folderSize(join(folder, name));
  // A worktree's history is that of another root; a `history` holds only that of worktrees.
  const kind: 'project' | 'worktree' | 'history' | 'unknown' =
    root === null ? 'unknown' : file === null ? 'history' : isOwn ? 'project' : 'worktree';
  return {
    hash,
    root,
    kind,
    /** The root under whose folder its history lies; null where it is unknown. */
    history,
    /** These four are null where its last index is unknown, or there was none. */
    files: index?.files ?? null,
    symbols: index?.symbols ?? null,
    revision: index?.revision ?? null,
    indexed_at: index?.at ?? null,
    used_at,
    first_commit,
    inside,
    /** Of this folder: the history of a worktree counts where it lies. */
    bytes: { derived: sizeIn('derived'), durable: sizeIn('durable'), backups: sizeIn('backups') },
    paused,
    /** Whether its root is no folder any more. */
    gone: root !== null && !isFolder(root),
  };
}

/**
 * What is known of a root, which need not be there any more.
 *
 * @throws CodewalkError `PROJECT_NOT_INDEXED`
 */
export function knownProject(root: string, options: HomeOptions): Project {
  const projects = listProjects(options);
  const known =
    projects.find((one) => one.root === root) ?? projects.find(({ hash }) => hash === pathHash(root));
  if (known) return known;
  throw new CodewalkError('PROJECT_NOT_INDEXED', `Nothing is stored of ${root}`, {
    input: root,
    suggestion: "'codewalk projects' lists the roots of which something is.",
  });
}

/** The project whose folder holds the history of another one: that itself, unless it is a worktree. */
export function historyOf(project: Project, options: HomeOptions): Project {
  const hash = project.history === null ? project.hash : pathHash(project.history);
  return listProjects(options).find((one) => one.hash === hash) ?? project;
}
