import type { StepsContext } from '../../../runtime/index.js';
import type { ExtractionPool } from '../../../source/index.js';
import type { FileProblem } from './changed-files.js';
import { allProblems, broughtBy, skippedByReason } from './index-figures.js';
import type { IndexOutput } from './index-output.js';
import { IndexRun } from './index-run.js';
import { INDEX_SESSION } from './index-session.js';
import type { ProjectIndex } from './project-index.js';
import { type IndexInput, projectScope } from './scope.js';

/**
 * Indexes the whole project, when no other run of this graph is at work.
 *
 * @throws CodewalkError `INVALID_ROOT`, `INVALID_INPUT` (a glob), `CANCELLED`, `DEADLINE`.
 */
export function indexProject(context: StepsContext, input: IndexInput): Promise<IndexOutput> {
  const started = context.now();
  const { alone, pool } = context.kept(INDEX_SESSION);
  return alone(context, async (index) => ({
    ...(await indexWhole(context, index, pool, input)).output,
    duration_ms: context.now() - started,
  }));
}

/** One run over the whole project: its answer, and how many files it resolved. */
export async function indexWhole(
  context: StepsContext,
  index: ProjectIndex,
  pool: ExtractionPool,
  input: IndexInput,
): Promise<{ output: Omit<IndexOutput, 'duration_ms'>; resolved: number }> {
  const scope = await projectScope(context, index, input);
  const problems: FileProblem[] = [];
  const run = new IndexRun(context, index, pool, problems);
  const { changed, removed, resolved, commitConcepts } = await run.update(scope, input.mode === 'full');
  const brought = broughtBy(changed, index.states);
  const output = {
    files_indexed: changed.size,
    symbols_indexed: brought.symbols,
    concepts_indexed: brought.concepts + commitConcepts,
    files_removed: removed.length,
    ...index.totals.figures(index.directories().size),
    skipped: skippedByReason(scope, problems),
    problems: allProblems(problems, index.states),
  };
  return { output, resolved };
}
