import { relative } from 'node:path';
import { z } from 'zod';
import { firstCommit, gitTop, platformOf } from '../../source/index.js';
import type { ProjectHomes } from '../../storage/index.js';
import type { OpenGraph } from '../open-graph.js';
import { type HomeOptions, homesOf } from '../surroundings.js';
import { noteIndex, projectFolder, readProjectFile } from './project-file.js';
import { listProjects } from './project-list.js';

/** What an index run found, as far as a project's file says it. */
interface IndexFigures {
  readonly files: number;
  readonly symbols: number;
  readonly revision: number;
}

/**
 * Notes an index run in the project's file. After the first one of a root: the vanished root that it may have been
 * before it moved, by the first commit of its repository and its place in it; the one used last, where there are
 * several. Else null.
 */
async function noteIndexRun(
  homes: ProjectHomes,
  figures: IndexFigures,
  options: HomeOptions,
  now: number,
): Promise<string | null> {
  const known = readProjectFile(projectFolder(homes));
  const top = gitTop(homes.root, platformOf());
  const commit = known?.first_commit ?? (top && (await firstCommit(homes.root, AbortSignal.timeout(5000))));
  const inside = top && relative(top, homes.root);
  noteIndex(homes, figures, { first_commit: commit, inside }, now);
  if (known?.index || commit === null) return null;
  const moved = listProjects(options).filter(
    (project) => project.gone && project.first_commit === commit && project.inside === inside,
  );
  moved.sort((a, b) => Date.parse(b.used_at ?? '') - Date.parse(a.used_at ?? ''));
  return moved[0]?.root ?? null;
}

const Indexed = z.object({ files_total: z.number(), symbols_total: z.number() });

/** {@link noteIndexRun} for an answer of a walker: null for all that are no index of a project on disk. */
export async function movedFrom(
  graph: Pick<OpenGraph, 'root' | 'home'>,
  walker: string,
  answered: { readonly output: unknown; readonly revision: number },
): Promise<string | null> {
  const { root, home } = graph;
  const indexed = walker === 'graph_index_project' ? Indexed.safeParse(answered.output).data : undefined;
  if (!indexed || root === null || home === null) return null;
  const figures = {
    files: indexed.files_total,
    symbols: indexed.symbols_total,
    revision: answered.revision,
  };
  return noteIndexRun(homesOf(root, { home }), figures, { home }, Date.now());
}

/** What is said of it. */
export function movedNote(from: string, to: string): string {
  return `This may be ${from}, which is gone: 'codewalk adopt ${from} ${to}' brings its history here.`;
}
