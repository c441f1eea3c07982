import { relative } from 'node:path';
import { firstCommit, gitTop, platformOf } from '../../source/index.js';
import type { OpenGraph } from '../open-graph.js';
import { homesOf } from '../surroundings.js';
import { noteUse, projectFolder, readProjectFile } from './project-file.js';
import { listProjects } from './project-list.js';

/** Milliseconds that git gets to find the first commit. */
const GIT_MS = 5000;

/**
 * Records an index run in the project's file. After the first one of a root it gives the vanished root that it may have
 * been before it moved, by the first commit of its repository and its place in it: of several, the one used last.
 * Null otherwise, and for answers of other walkers.
 */
export async function movedFrom(
  { root, home }: Pick<OpenGraph, 'root' | 'home'>,
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
  const moved = listProjects({ home }).filter(
    (project) => project.gone && project.first_commit === commit && project.inside === inside,
  );
  moved.sort((a, b) => Date.parse(b.used_at ?? '') - Date.parse(a.used_at ?? ''));
  return moved[0]?.root ?? null;
}
