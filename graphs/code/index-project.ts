import { z } from 'zod';
import type { StepsContext } from '../../runtime/index.js';
import { projectNotIndexed } from '../../schema/index.js';
import { allProblems, broughtBy, FileProblem, type IndexOutput, skippedByReason } from './index-output.js';
import type { ProjectIndex } from './project-index.js';
import { IndexRun } from './run.js';
import {
  type AskedScope,
  askedScope,
  discoverFiles,
  type IndexInput,
  isAtOrBeneath,
  projectScope,
} from './scan.js';
import { INDEX_SESSION, type IndexSession } from './session.js';
import type { ProjectState } from './state.js';
import { dropTexts, rebuildTexts } from './texts.js';

/**
 * Indexes the whole project, when no other run of this graph is at work.
 *
 * @throws CodewalkError `INVALID_ROOT`, `INVALID_INPUT` (a glob), `CANCELLED`, `DEADLINE`.
 */
export function indexProject(context: StepsContext, input: IndexInput): Promise<IndexOutput> {
  const started = context.now();
  const session = context.cached(INDEX_SESSION);
  return session.alone(context, async (index) => {
    const { output } = await indexWhole(context, index, session, input);
    return { ...output, duration_ms: context.now() - started };
  });
}

/** One run over the whole project: its answer, and how many files it resolved. */
async function indexWhole(
  context: StepsContext,
  index: ProjectIndex,
  session: IndexSession,
  { mode, include, exclude, max_file_bytes }: IndexInput,
): Promise<{ output: Omit<IndexOutput, 'duration_ms'>; resolved: number }> {
  const scope = await projectScope(context, index, { mode, include, exclude, max_file_bytes });
  const problems: FileProblem[] = [];
  const run = new IndexRun(context, index, session, problems, mode === 'full');
  const { changed, removed, resolved, commitConcepts } = await run.update(scope);
  if (!index.hasTexts) await rebuildTexts(context, index, session.documentsOf);
  const brought = broughtBy(changed, index.states);
  const output = {
    files_indexed: changed.size,
    symbols_indexed: brought.symbols,
    concepts_indexed: brought.concepts + commitConcepts,
    files_removed: removed.length,
    ...index.totals.figures(index.directories().size),
    skipped: skippedByReason(scope.skipped, problems),
    problems: allProblems(problems, index.states),
  };
  return { output, resolved };
}

const count = z.number().int();

/** What updating files answers. */
export const UpdateOutput = z.object({
  /** Files that were extracted, written again or removed. */
  files_updated: count,
  /** Symbols of those that are still there. */
  symbols_updated: count,
  duration_ms: z.number(),
  /** Files among them that are gone. */
  files_removed: count,
  /** Files whose references were resolved again: those that changed, and those that a change could matter to. */
  files_resolved: count,
  /** `project`: more than the paths had to be looked at; `why` says for what. */
  scope: z.enum(['files', 'project']),
  why: z.string().nullable(),
  /** Paths that are in no graph: ignored, secret, binary, neither on disk nor in the graph. */
  skipped: z.array(FileProblem),
  /** Files with a problem, each named. */
  problems: z.array(FileProblem),
});
export type UpdateOutput = z.infer<typeof UpdateOutput>;

/**
 * Brings the graph up to date with what stands at paths, when no other run of this graph is at work. Where a path
 * decides about others (an ignore file, a manifest), or the graph is not whole, the project is looked at instead.
 *
 * @throws CodewalkError `PATH_OUTSIDE_ROOT`, `INVALID_ROOT`, `CANCELLED`, `DEADLINE`.
 */
export function updateFiles(context: StepsContext, paths: readonly string[]): Promise<UpdateOutput> {
  const started = context.now();
  const session = context.cached(INDEX_SESSION);
  return session.alone(context, async (index) => {
    const known = new Set(index.states.keys());
    const scope = await askedScope(context, index, paths);
    const why = reasonForAll(index, scope);
    const isProject = why !== null || scope.asked.includes('');
    const updated = isProject
      ? await updateAll(context, index, session)
      : await updateScope(context, index, session, scope);
    return {
      ...updated,
      scope: isProject ? ('project' as const) : ('files' as const),
      why,
      skipped: skippedPaths(scope, [...known, ...index.states.keys()]),
      duration_ms: context.now() - started,
    };
  });
}

/** Why more has to be looked at than was asked for; null where it has not. */
function reasonForAll({ mark, damaged, hasTexts }: ProjectIndex, { deciding }: AskedScope): string | null {
  if (!mark) return 'The project had no graph: all of it was indexed.';
  if (!mark.complete || damaged)
    return 'The last index run had not finished: this one went over the whole project.';
  if (!hasTexts) return 'What the files say was not indexed: the whole project was looked at.';
  return deciding === null ? null : `${deciding} decides about other files: the whole project was looked at.`;
}

async function updateAll(context: StepsContext, index: ProjectIndex, session: IndexSession) {
  const { output, resolved } = await indexWhole(context, index, session, {
    mode: 'incremental',
    ...index.project,
  });
  return {
    files_updated: output.files_indexed + output.files_removed,
    symbols_updated: output.symbols_indexed,
    files_removed: output.files_removed,
    files_resolved: resolved,
    problems: output.problems,
  };
}

async function updateScope(
  context: StepsContext,
  index: ProjectIndex,
  session: IndexSession,
  scope: AskedScope,
) {
  const problems: FileProblem[] = [];
  const run = new IndexRun(context, index, session, problems, false);
  const { changed, removed, resolved } = await run.update(scope);
  const looked = new Set(scope.files.map(({ path }) => path));
  return {
    files_updated: changed.size + removed.length,
    symbols_updated: broughtBy(changed, index.states).symbols,
    files_removed: removed.length,
    files_resolved: resolved,
    problems: allProblems(
      problems,
      [...index.states].filter(([path]) => looked.has(path)),
    ),
  };
}

/** The asked paths that came to nothing, and why. @param known Paths that are in the graph, or were before. */
function skippedPaths({ asked, skipped }: AskedScope, known: readonly string[]): FileProblem[] {
  return asked.flatMap((path) => {
    const rule = skipped.find(({ path: at }) => isAtOrBeneath(path, at.replace(/\/$/, '')));
    if (rule) return [{ path, reason: rule.reason, detail: rule.detail }];
    if (known.some((one) => isAtOrBeneath(one, path))) return [];
    return [{ path, reason: 'unknown', detail: 'neither on disk nor in the graph' }];
  });
}

/**
 * Rebuilds the text index, once what changed on disk is in the graph.
 *
 * @returns How many files it is of.
 * @throws CodewalkError `PROJECT_NOT_INDEXED`, and as {@link indexProject}.
 */
export function indexTexts(context: StepsContext): Promise<number> {
  const session = context.cached(INDEX_SESSION);
  return session.alone(context, async (index) => {
    if (index.states.size === 0) throw projectNotIndexed(context.projectRoot);
    await dropTexts(context, index);
    await updateAll(context, index, session);
    return index.states.size;
  });
}

/**
 * Counts the files that a first index of the project would take; null where it was indexed. Changes nothing.
 *
 * @throws CodewalkError `INVALID_ROOT`, `INVALID_INPUT` (a glob), `CANCELLED`, `DEADLINE`.
 */
export function filesToIndex(
  context: StepsContext,
  rules: Omit<ProjectState, 'manifests'>,
): Promise<number | null> {
  return context.cached(INDEX_SESSION).alone(context, async ({ mark }) => {
    if (mark !== undefined) return null;
    return (await discoverFiles(context, rules)).files.length;
  });
}
