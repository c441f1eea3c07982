import type { StepsContext } from '../../runtime/index.js';
import type { FileProblem } from './changed-files.js';
import { allProblems, broughtBy, skippedByReason } from './index-figures.js';
import type { IndexOutput } from './index-output.js';
import { IndexRun } from './index-run.js';
import { INDEX_SESSION, type IndexSession } from './index-session.js';
import type { ProjectIndex } from './project-index.js';
import { type IndexInput, projectScope } from './scope.js';
import { makeTextsAnew } from './texts-anew.js';

/**
 * Indexes the whole project, when no other run of this graph is at work.
 *
 * @throws CodewalkError `INVALID_ROOT`, `INVALID_INPUT` (a glob), `CANCELLED`, `DEADLINE`.
 */
export function indexProject(context: StepsContext, input: IndexInput): Promise<IndexOutput> {
  const started = context.now();
  const session = context.kept(INDEX_SESSION);
  return session.alone(context, async (index) => ({
    ...(await indexWhole(context, index, session, input)).output,
    duration_ms: context.now() - started,
  }));
}

/** One run over the whole project: its answer, and how many files it resolved. */
export async function indexWhole(
  context: StepsContext,
  index: ProjectIndex,
  session: IndexSession,
  input: IndexInput,
): Promise<{ output: Omit<IndexOutput, 'duration_ms'>; resolved: number }> {
  const scope = await projectScope(context, index, input);
  const problems: FileProblem[] = [];
  const run = new IndexRun(context, index, session, problems);
  const { changed, removed, resolved, commitConcepts } = await run.update(scope, input.mode === 'full');
  if (!index.hasTexts) await makeTextsAnew(context, index, session.documentsOf);
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
