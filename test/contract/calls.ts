/** One call of the contract: a tool, and arguments that a client of S3 sends. `$ROOT` is the project's folder. */
export interface ContractCall {
  readonly tool: string;
  readonly title: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const project_root = '$ROOT';
const failing = { tool_name: 'shell', params_json: { command: 'npx vitest run' } };

/**
 * The calls of one agent's work, in order. They use the frozen parameters alone, as a client does that knows only
 * S3; `$TASK` is the `task_id` that the last `task_start` answered.
 */
export const CALLS: readonly ContractCall[] = [
  call('graph_index_project', 'a full index', { mode: 'full' }),
  call('graph_index_project', 'nothing changed', { mode: 'incremental' }),
  call('graph_update_files', 'a file as it was, by its absolute path', { paths: ['$ROOT/src/money.ts'] }),
  call('graph_update_files', 'a file outside the root', { paths: ['../elsewhere.ts'] }),
  log('task_start', { user_prompt: 'Baskets cost too much: mend the tax', tags: ['money'] }, null),
  log('step', { order: 1, role: 'testing', llm_summary: 'Run the tests' }),
  log('tool_start', failing),
  log('tool_end', {
    tool_name: 'shell',
    success: false,
    duration_ms: 812,
    stderr: 'AssertionError: expected 12.5 to be 12\n at test/shop.test.ts:5',
  }),
  log('error', { error_type: 'test_failure', message: 'AssertionError: expected 12.5 to be 12' }),
  log('tool_start', {
    tool_name: 'edit',
    params_json: { file_path: 'src/money.ts', old_string: '* 0.25', new_string: '* 0.2' },
    files_touched: ['src/money.ts'],
  }),
  log('tool_end', { tool_name: 'edit', success: true, files_touched: ['src/money.ts'] }),
  log('checkpoint', { checkpoint_file: 'work.patch' }),
  log('task_end', { status: 'success' }),
  log('error', { error_type: 'test_failure' }),
  log('tool_end', { tool_name: 'edit', success: true }, 'task-that-is-not-there'),
  call('etg_log_event', 'a kind that there is not', { kind: 'thought', payload: {} }),
  call('etg_query_similar_attempts', 'by a failure', {
    query: 'AssertionError: expected 15 to be 12',
    file_paths: null,
  }),
  call('etg_query_similar_attempts', 'by words and a file', {
    query: 'the tax of a basket',
    file_paths: ['src/money.ts'],
    limit: 1,
  }),
  call('graph_context_for_files', 'before an edit', { file_paths: ['src/money.ts'] }),
  call('graph_context_for_files', 'only the own symbols', { file_paths: ['src/shop.ts'], radius: 0 }),
  call('memory_store', 'for a context to tell', {
    memory_id: 'memory-1',
    type: 'fix',
    title: 'Taxes are shares',
    content: 'A tax is a share of the net price, never percent.',
    about: ['src/money.ts'],
  }),
  call('graph_context_for_files', 'what is remembered', { file_paths: ['src/money.ts'], radius: 0 }),
];

function call(tool: string, title: string, given: ContractCall['arguments']): ContractCall {
  return { tool, title, arguments: { project_root, ...given } };
}

function log(kind: string, payload: Record<string, unknown>, task_id: string | null = '$TASK'): ContractCall {
  return call('etg_log_event', `${kind}: ${Object.keys(payload).join(', ')}`, { task_id, kind, payload });
}
