/** Attempts that are recorded first, so that there is something to find. */
const ATTEMPTS = 12;
/** Subjects of each kind of question: several, so that no answer is just there. */
const SUBJECTS = 5;

/**
 * Questions about a project: the context of a file, why a call is said to lead where it does, earlier attempts, and
 * once the totals, which look at the whole graph. The same project gives the same ones.
 *
 * @param graph an open graph
 */
export async function questionsOf(graph) {
  const { reports } = await graph.spawn('graph_export');
  const files = spread(reports.filter(({ kind, extracted }) => kind === 'file' && extracted));
  const calls = spread(reports.filter(({ type, kind }) => type === 'edge' && kind === 'CALLS'));
  const totals = { kind: 'stats', walker: 'graph_stats', input: {} };
  const asks = Array.from({ length: SUBJECTS }, (_, at) => {
    const [{ path }, { from, to }] = [files[at], calls[at]];
    return [
      { kind: 'context', walker: 'graph_context_for_files', input: { file_paths: [path] } },
      { kind: 'explain', walker: 'explain', input: { from, to } },
      {
        kind: 'attempts',
        walker: 'etg_query_similar_attempts',
        input: { query: `a test of ${path} fails` },
      },
    ];
  });
  return [...asks.flat(), totals];
}

/**
 * Records attempts at something in the files that questions are about.
 *
 * @param how `({ walker, input }) => answer`
 */
export async function recordAttempts(how, questions) {
  const paths = questions.flatMap(({ input }) => input.file_paths ?? []);
  for (let at = 0; at < ATTEMPTS; at += 1) {
    const path = paths[at % paths.length];
    const log = (kind, payload) =>
      how({ walker: 'etg_log_event', input: { kind, payload, session_id: `bench-${at}` } });
    await log('task_start', { user_prompt: `Fix ${path} so that test ${at} passes` });
    await log('tool_start', { tool_name: 'edit', files_touched: [path] });
    await log('error', { error_type: 'test_failure', message: `expected ${at}, got 2` });
    await log('task_end', { status: at % 2 === 0 ? 'success' : 'failed' });
  }
}

/** Some of many, from all over. */
function spread(items) {
  const step = Math.max(1, Math.floor(items.length / SUBJECTS));
  return Array.from({ length: SUBJECTS }, (_, at) => items[Math.min(at * step, items.length - 1)]);
}
