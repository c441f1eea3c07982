import { readFileSync } from 'node:fs';
import { join } from 'node:path';
// As a namespace: a client's bundle holds what is used of it, without the messages of all languages.
import * as z from 'zod';
import { homesUnder, isFolder, type ProjectHomes, pathHash } from '../../storage/index.js';
import { graphsFolderOf, type HomeOptions, homesOf } from '../surroundings.js';
import { writeWhole } from '../whole-file.js';

/** ISO 8601. */
const time = z.string();

/** What the last index of a project came to. */
const IndexNote = z.object({
  at: time,
  files: z.number().int(),
  symbols: z.number().int(),
  /** Of the graph. */
  revision: z.number().int(),
});

/** What is said of a project in its folder, for whoever has not its stores open. */
const ProjectFile = z.object({
  /** The real path of the root. */
  root: z.string(),
  /** The path that names its history (ruling X-34). */
  history: z.string(),
  made_at: time,
  /** To the minute. */
  used_at: time,
  /** The first commit of its repository; null where there is none, or no index was made yet. */
  first_commit: z.string().nullable().default(null),
  /** Where the root lies in its repository's work tree; null as above. */
  inside: z.string().nullable().default(null),
  /** Null: not indexed since this file is written. */
  index: IndexNote.nullable().default(null),
});

export type ProjectFile = z.infer<typeof ProjectFile>;

/** Milliseconds in which a use after another one is not worth a write. */
export const SAME_USE_MS = 60_000;

/** What is said of the project of a folder; null where nothing is, as in the homes of earlier versions. */
export function readProjectFile(folder: string): ProjectFile | null {
  try {
    const parsed = ProjectFile.safeParse(JSON.parse(readFileSync(join(folder, 'project.json'), 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    // Not there, or damaged: it is written again when the project is opened.
    return null;
  }
}

/** The folder that holds a root's derived layer, and its project file. */
export function projectFolder({ graphs, projectHash }: Pick<ProjectHomes, 'graphs' | 'projectHash'>): string {
  return join(graphs, projectHash);
}

/** The homes of a root that may have vanished: then by what its project's file says of its history. */
export function knownHomes(root: string, options: HomeOptions): ProjectHomes {
  if (isFolder(root)) return homesOf(root, options);
  const graphs = graphsFolderOf(options);
  const file = readProjectFile(projectFolder({ graphs, projectHash: pathHash(root) }));
  return homesUnder(graphs, root, file?.history ?? root);
}

/** Notes that a project was used. What cannot be noted is no reason not to use it. */
export function noteUse(homes: ProjectHomes, now: number): void {
  const known = readProjectFile(projectFolder(homes));
  const { root, history } = homes;
  const isSame = known?.root === root && known.history === history;
  if (known && isSame && Math.abs(now - Date.parse(known.used_at)) < SAME_USE_MS) return;
  const at = new Date(now).toISOString();
  const fresh = { made_at: at, first_commit: null, inside: null, index: null };
  note(homes, { ...fresh, ...known, root, history, used_at: at });
}

/** Notes what is known of a project that was just indexed. */
export function noteIndex(
  homes: ProjectHomes,
  index: Omit<z.infer<typeof IndexNote>, 'at'>,
  origin: Pick<ProjectFile, 'first_commit' | 'inside'>,
  now: number,
): void {
  const { root, history } = homes;
  const at = new Date(now).toISOString();
  const known = readProjectFile(projectFolder(homes));
  note(homes, { made_at: at, ...known, root, history, used_at: at, index: { at, ...index }, ...origin });
}

/** Writes the file of a project. */
export function writeProjectFile(folder: string, file: ProjectFile): void {
  writeWhole(join(folder, 'project.json'), `${JSON.stringify(file, null, 2)}\n`);
}

function note(homes: ProjectHomes, file: ProjectFile): void {
  try {
    writeProjectFile(projectFolder(homes), file);
  } catch {
    // A disk that is full is told by what needs it.
  }
}
