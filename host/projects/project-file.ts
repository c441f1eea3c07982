import { readFileSync } from 'node:fs';
import { join } from 'node:path';
// As a namespace: a client's bundle holds what is used of it, without the messages of all languages.
import * as z from 'zod';
import { homesUnder, isFolder, type ProjectHomes, pathHash } from '../../storage/index.js';
import { graphsFolderOf, type HomeOptions, homesOf } from '../surroundings.js';
import { writeWhole } from '../whole-file.js';

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
  /** The last index; null: none since this file is written. */
  index: z
    .object({
      at: time,
      files: z.number().int(),
      symbols: z.number().int(),
      /** Of the graph. */
      revision: z.number().int(),
    })
    .nullable()
    .default(null),
});

export type ProjectFile = z.infer<typeof ProjectFile>;

/** Milliseconds after a use in which another one is not recorded. */
export const SAME_USE_MS = 60_000;

/** What is recorded of the project of a folder; null where nothing is, as in the homes of earlier versions. */
export function readProjectFile(folder: string): ProjectFile | null {
  try {
    const text = readFileSync(join(folder, 'project.json'), 'utf8');
    return ProjectFile.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    // Missing or damaged: it is written again when the project is opened.
    return null;
  }
}

/** Writes the file of a project. */
export function writeProjectFile(folder: string, file: ProjectFile): void {
  writeWhole(join(folder, 'project.json'), `${JSON.stringify(file, null, 2)}\n`);
}

/** The folder that holds a root's derived layer, and its project file. */
export function projectFolder({ graphs, projectHash }: Pick<ProjectHomes, 'graphs' | 'projectHash'>): string {
  return join(graphs, projectHash);
}

/** The homes of a root that may have vanished: then its project's file names its history. */
export function knownHomes(root: string, options: HomeOptions): ProjectHomes {
  if (isFolder(root)) return homesOf(root, options);
  const graphs = graphsFolderOf(options);
  const file = readProjectFile(projectFolder({ graphs, projectHash: pathHash(root) }));
  return homesUnder(graphs, root, file?.history ?? root);
}

/**
 * Records that a project was used. A failure to do so does not keep anyone from using it.
 *
 * @param indexed What its index found, if that was the use.
 */
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
