import { z } from 'zod';
import type { FileProblem, ProjectIndex } from '../../graphs/code/index.js';
import {
  type AskedScope,
  allProblems,
  askedScope,
  broughtBy,
  INDEX_SESSION,
  IndexRun,
  type IndexSession,
  indexWhole,
  isAtOrBeneath,
  problemLines,
} from '../../graphs/code/index.js';
import { markdownTable } from '../../present/index.js';
import { defineWalker, type StepsContext } from '../../runtime/index.js';
import { pathField } from '../path-field.js';

const count = z.number().int();

/** What updating files answers: the three figures of S3-04, and what came of the paths that were asked for. */
const UpdateOutput = z.object({
  /** Files that were extracted, written anew or removed. */
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
  skipped: z.array(z.object({ path: z.string(), reason: z.string(), detail: z.string() })),
  /** Files with a problem, each named. */
  problems: z.array(z.object({ path: z.string(), reason: z.string(), detail: z.string() })),
});

type UpdateOutput = z.infer<typeof UpdateOutput>;

/** What an update came to, as Markdown. */
function updateSummary(output: UpdateOutput): string {
  const { files_updated, files_removed, symbols_updated, files_resolved, duration_ms, why } = output;
  const removed = files_removed > 0 ? ` (${files_removed} removed)` : '';
  const lines = [
    `Updated ${files_updated} ${files_updated === 1 ? 'file' : 'files'}${removed}: ${symbols_updated} symbols, ` +
      `${files_resolved} resolved again, ${Math.round(duration_ms)} ms.`,
  ];
  if (why !== null) lines.push(why);
  const rows = output.skipped.map(({ path, reason, detail }) => [path, reason, detail || '-']);
  if (rows.length > 0) lines.push('', markdownTable(['path', 'left out', 'why'], rows));
  if (output.problems.length > 0) lines.push('', 'Problems:', ...problemLines(output.problems));
  return `${lines.join('\n')}\n`;
}

type Updated = Omit<UpdateOutput, 'duration_ms'>;

/**
 * Brings the graph up to date with what stands at paths, when no other run of this graph is at work. Where a path
 * decides about others (an ignore file, a manifest), or the graph is not whole, the project is looked at instead.
 *
 * @throws CodewalkError `PATH_OUTSIDE_ROOT`, `INVALID_ROOT`, `CANCELLED`, `DEADLINE`.
 */
function updateFiles(context: StepsContext, paths: readonly string[]): Promise<UpdateOutput> {
  const started = context.now();
  const session = context.kept(INDEX_SESSION);
  return session.alone(context, async (index) => {
    const known = new Set(index.states.keys());
    const scope = await askedScope(context, index, paths);
    const why = reasonForAll(index, scope);
    const updated =
      why === null && !scope.asked.includes('')
        ? await updateScope(context, index, session, scope)
        : await updateAll(context, index, session, why);
    return { ...updated, skipped: skippedPaths(scope, index, known), duration_ms: context.now() - started };
  });
}

/** Why more has to be looked at than was asked for; null where it has not. */
function reasonForAll(index: ProjectIndex, { deciding }: AskedScope): string | null {
  const { mark, damaged, hasTexts } = index;
  if (!mark) return 'The project had no graph: all of it was indexed.';
  if (!mark.complete || damaged)
    return 'The last index run had not finished: this one went over the whole project.';
  if (!hasTexts) return 'What the files say was not indexed: the whole project was looked at.';
  return deciding === null ? null : `${deciding} decides about other files: the whole project was looked at.`;
}

async function updateAll(
  context: StepsContext,
  index: ProjectIndex,
  session: IndexSession,
  why: string | null,
): Promise<Omit<Updated, 'skipped'>> {
  const { include, exclude, max_file_bytes } = index.project;
  const { output, resolved } = await indexWhole(context, index, session, {
    mode: 'incremental',
    include,
    exclude,
    max_file_bytes,
  });
  return {
    files_updated: output.files_indexed + output.files_removed,
    symbols_updated: output.symbols_indexed,
    files_removed: output.files_removed,
    files_resolved: resolved,
    scope: 'project',
    why,
    problems: output.problems,
  };
}

async function updateScope(
  context: StepsContext,
  index: ProjectIndex,
  session: IndexSession,
  scope: AskedScope,
): Promise<Omit<Updated, 'skipped'>> {
  const problems: FileProblem[] = [];
  const run = new IndexRun(context, index, session, problems);
  const { changed, removed, resolved } = await run.update(scope, false);
  const looked = scope.files.flatMap(({ path }) => {
    const state = index.states.get(path);
    return state ? [[path, state] as const] : [];
  });
  return {
    files_updated: changed.size + removed.length,
    symbols_updated: broughtBy(changed, index.states).symbols,
    files_removed: removed.length,
    files_resolved: resolved,
    scope: 'files',
    why: null,
    problems: allProblems(problems, new Map(looked)),
  };
}

/** The asked paths that came to nothing, and why. */
function skippedPaths(
  { asked, skipped }: AskedScope,
  { states }: ProjectIndex,
  before: ReadonlySet<string>,
): UpdateOutput['skipped'] {
  const known = [...before, ...states.keys()];
  return asked.flatMap((path) => {
    const rule = skipped.find(({ path: at }) => isAtOrBeneath(path, at.replace(/\/$/, '')));
    if (rule) return [{ path, reason: rule.reason, detail: rule.detail }];
    if (known.some((one) => isAtOrBeneath(one, path))) return [];
    return [{ path, reason: 'unknown', detail: 'neither on disk nor in the graph' }];
  });
}

const PATHS = z.array(pathField()).max(1000);

/**
 * Brings the graph up to date with files that changed, came or went, and with the edges of others to them. What it
 * costs follows the change: no other folder is listed, no other file is read.
 */
export const GraphUpdateFiles = defineWalker('graph_update_files', {
  description:
    'After editing files: bring their symbols and all edges to and from them up to date. Takes changed, new, deleted and renamed files, and folders.',
  access: 'steps',
  input: {
    paths: PATHS.min(1).describe(
      'Files or folders, absolute or relative to the project root; deleted ones too',
    ),
    file_paths: PATHS.default([]).describe('More of them, named as in graph_context_for_files'),
  },
  output: UpdateOutput,
  examples: [
    { title: 'One file', input: { paths: ['src/app.ts'] } },
    { title: 'A renamed file: both names', input: { paths: ['src/old.ts', 'src/new.ts'] } },
  ],
  run: async (_here, context) => {
    const { paths, file_paths } = context.state;
    return updateFiles(context, [...paths, ...file_paths]);
  },
  markdown: updateSummary,
});
