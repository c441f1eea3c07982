import type { Dialect } from '../lifecycle/dialect.js';
import type { LifecycleFields } from '../lifecycle/fields.js';
import { outcomeOf } from './outcome.js';

/** What Qwen Code says in its own way. */
export const dialect: Dialect = {
  tools: {
    read_file: 'read',
    read_many_files: 'read',
    grep_search: 'search',
    search_file_content: 'search',
    glob: 'search',
    list_directory: 'search',
    web_fetch: 'search',
    web_search: 'search',
    lsp: 'search',
    tool_search: 'search',
    edit: 'edit',
    replace: 'edit',
    write_file: 'edit',
    notebook_edit: 'edit',
    run_shell_command: 'shell',
    todo_write: 'plan',
    enter_plan_mode: 'plan',
    exit_plan_mode: 'plan',
  },
  promptOf,
  // What a person typed; `prompt` holds what was made of it for the model.
  userTextOf: ({ submitted_prompt, prompt = '' }) => submitted_prompt || prompt,
  outcomeOf,
  // Every call fires an event of its own.
  batchOf: () => [],
};

/** A session that `/clear` opened names the last prompt of the one before, until it has its own. 0.15 names none. */
function promptOf({ prompt_id, session_id }: LifecycleFields): string | null {
  if (!prompt_id) return null;
  return session_id && !prompt_id.startsWith(session_id) ? null : prompt_id;
}
