import { z } from 'zod';
import type { StepsContext } from '../../runtime/index.js';
import {
  FileContainsSymbol,
  FileDependsOnFile,
  fileId,
  parseId,
  projectNotIndexed,
  SymbolCallsSymbol,
} from '../../schema/index.js';
import { clearIndexes, type IndexFamily, sweepIndexes, writeIndex } from '../../search/index.js';
import {
  insideRoot,
  languageOf,
  type MakeDocuments,
  readText,
  type SkippedFile,
} from '../../source/index.js';
import { CODE_TEXT } from './documents.js';
import {
  allProblems,
  broughtBy,
  Counter,
  FileProblem,
  type IndexOutput,
  skippedByReason,
} from './index-output.js';
import { INDEX_SESSION, type IndexSession, type ProjectIndex, readFacts } from './project-index.js';
import { IndexRun } from './run.js';
import {
  type AskedScope,
  askedScope,
  discoverFiles,
  type IndexInput,
  isAtOrBeneath,
  projectScope,
  rootOf,
} from './scan.js';
import { dropCompilerEdges, storeCompilerEdges } from './scip/import-scip.js';
import { type FileState, factsName, type ProjectState, TEXT_MARK, TEXT_MARK_NOW, toBytes } from './state.js';
import { turn } from './write.js';

/**
 * Indexes the whole project, when no other run of this graph is at work.
 *
 * @throws CodewalkError `INVALID_ROOT`, `INVALID_INPUT` (a glob), `CANCELLED`, `DEADLINE`.
 */
export function indexProject(context: StepsContext, input: IndexInput): Promise<IndexOutput> {
  const started = context.now();
  const session = context.cached(INDEX_SESSION);
  const run = async (index: ProjectIndex) => {
    // What was taken from another worktree is what a full run would make.
    const mode = index.isTaken ? 'incremental' : input.mode;
    const { output } = await indexWhole(context, index, session, { ...input, mode });
    return { ...output, duration_ms: context.now() - started };
  };
  return session.alone(context, run, { fills: true });
}

/** Runs after one that could not read facts, each of which may find others that cannot be read. */
const REPAIR_RUNS = 8;

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
  for (let round = 0; index.lost.size > 0 && round < REPAIR_RUNS; round++)
    await new IndexRun(context, index, session, problems, false).update(
      await projectScope(context, index, { mode: 'incremental', ...index.project }),
    );
  if (!index.hasTexts) await rebuildTexts(context, index, session.documentsOf);
  const brought = broughtBy(changed, index.states);
  const figures = index.totals.figures(index.directories().size);
  const output = {
    files_indexed: changed.size,
    symbols_indexed: brought.symbols,
    concepts_indexed: brought.concepts + commitConcepts,
    files_removed: removed.length,
    ...figures,
    central_symbol: await mostCalled(context, figures.central_file),
    skipped: skippedByReason(scope.skipped, problems),
    problems: allProblems(
      [...problems, ...manifestProblems(index.project), ...wideFiles(scope.skipped)],
      index.states,
    ),
  };
  return { output, resolved };
}

/** The name in its file of the symbol that most others call, in a file or in what that imports; null where none is called. */
async function mostCalled(context: StepsContext, path: string | null): Promise<string | null> {
  if (path === null) return null;
  const file = fileId(path);
  const files = [file, ...(await context.q(file).out(FileDependsOnFile).ids())];
  const counts = new Counter();
  for (const { to } of await context.q(files).out(FileContainsSymbol).in(SymbolCallsSymbol).edges()) {
    const name = parseId(to)?.name ?? '';
    if (!to.startsWith('test:') && !/(^|\.)_[^.]*$/.test(name)) counts.add(to);
  }
  return parseId(counts.first() ?? '')?.name ?? null;
}

/** Files of a known language that are left out since they are in another encoding. */
function wideFiles(skipped: readonly SkippedFile[]): FileProblem[] {
  return skipped.flatMap(({ path, reason, detail }) =>
    reason === 'not-utf8' && languageOf(path) !== null ? [{ path, reason, detail }] : [],
  );
}

/** Manifests of which not all could be read. */
function manifestProblems({ manifests }: ProjectState): FileProblem[] {
  return manifests.flatMap(({ path, problem }) =>
    problem === undefined ? [] : [{ path, reason: 'damaged-manifest', detail: problem }],
  );
}

const count = z.number().int();

/** What came of what compilers say, after {@link importScip}. */
export interface ScipImport {
  readonly tool: string;
  readonly files: number;
  readonly places: number;
  readonly dropped: number;
  readonly calls: Readonly<
    Record<'resolved' | 'unresolved' | 'resolved_before' | 'unresolved_before', number>
  >;
  readonly left_out: FileProblem[];
  readonly duration_ms: number;
}

/**
 * Brings the graph up to date, takes over what a SCIP index says of it, and resolves again what that is about; when no other
 * run of this graph is at work.
 *
 * @param asked Null: what was imported before is removed.
 * @throws CodewalkError `INVALID_INPUT` where the file is no index or has nothing of the project, and as {@link indexProject}.
 */
export function importScip(
  context: StepsContext,
  asked: { readonly file: string; readonly prefix: string | null } | null,
): Promise<ScipImport> {
  const started = context.now();
  const session = context.cached(INDEX_SESSION);
  return session.alone(
    context,
    async (index) => {
      const upToDate = async () =>
        (await indexWhole(context, index, session, { mode: 'incremental', ...index.project })).output.calls;
      const before = await upToDate();
      const imported =
        asked === null
          ? { tool: '', files: 0, places: 0, dropped: await dropCompilerEdges(context, index), left_out: [] }
          : await storeCompilerEdges(context, index, asked);
      const { resolved, unresolved } = await upToDate();
      const calls = {
        resolved,
        unresolved,
        resolved_before: before.resolved,
        unresolved_before: before.unresolved,
      };
      return { ...imported, calls, duration_ms: context.now() - started };
    },
    { fills: true },
  );
}

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
  const run = async (index: ProjectIndex) => {
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
  };
  return session.alone(context, run, { fills: true });
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
  if (index.lost.size > 0) await updateAll(context, index, session);
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

/** Text indexes of the code, those of earlier versions too. */
const CODE_TEXTS: IndexFamily = { family: 'code', layer: 'derived', types: [CODE_TEXT] };
/** Bytes that are taken out in one commit. */
const CLEARED_AT_ONCE = 2048;
/** Files whose documents are written with one commit. */
const FILES_PER_COMMIT = 64;

/**
 * Takes everything out of the text index, with the run's next commit, and then, some at a time, what is left of it. Only
 * the header stays and counts on, so that what readers cache of it is seen to be of another time.
 */
export async function clearTexts(context: StepsContext): Promise<void> {
  await clearIndexes(context, CODE_TEXTS);
  do await context.commit();
  while ((await sweepIndexes(context, CODE_TEXTS, CLEARED_AT_ONCE)) === CLEARED_AT_ONCE);
  await context.commit();
}

/** Marks the text index as not whole: whatever happens from here on, it is rebuilt. */
async function dropTexts(context: StepsContext, index: ProjectIndex): Promise<void> {
  index.text = undefined;
  context.putBlob(TEXT_MARK, undefined);
  await context.commit();
}

/**
 * Rebuilds the text index from the facts that are stored and the texts on disk: nothing is parsed. Of a file that
 * changed since it was indexed only what the facts say is found, until it is indexed again.
 */
async function rebuildTexts(
  context: StepsContext,
  index: ProjectIndex,
  documentsOf: MakeDocuments,
): Promise<void> {
  await dropTexts(context, index);
  await clearTexts(context);
  const texts = writeIndex(context, CODE_TEXT);
  const files = [...index.states].sort(([a], [b]) => (a < b ? -1 : 1));
  for (let at = 0; at < files.length; at += FILES_PER_COMMIT) {
    context.progress({ phase: 'texts', done: at, total: files.length });
    const some = files.slice(at, at + FILES_PER_COMMIT);
    const stored = await context.blobs(some.map(([path]) => factsName(path)));
    for (const [i, [path, state]] of some.entries()) {
      const text = textOf(context, path, state);
      texts.putGroup(path, documentsOf({ path, text, facts: readFacts(stored[i]) }));
      await turn(context);
    }
    await texts.flush();
    await context.commit({ forget: true });
  }
  context.putBlob(TEXT_MARK, toBytes(TEXT_MARK_NOW));
  await context.commit();
  index.text = TEXT_MARK_NOW;
}

/** The text of a file as it was indexed; empty where it has none, or another one by now. */
function textOf(context: StepsContext, path: string, { hash, plain }: FileState): string {
  if (plain === 'minified') return '';
  const read = readText({ diskPath: insideRoot(rootOf(context), path).diskPath });
  // What failed has no hash: it is read again by every run.
  return read.ok && (read.hash === hash || hash === '') ? read.text : '';
}
