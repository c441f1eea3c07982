import type { Dialect } from '../lifecycle/dialect.js';
import { batchOf, outcomeOf } from './outcome.js';

/** What Claude Code says in its own way. */
export const dialect: Dialect = {
  tools: {
    Read: 'read',
    NotebookRead: 'read',
    Grep: 'search',
    Glob: 'search',
    LS: 'search',
    WebFetch: 'search',
    WebSearch: 'search',
    ToolSearch: 'search',
    Edit: 'edit',
    MultiEdit: 'edit',
    Write: 'edit',
    NotebookEdit: 'edit',
    Bash: 'shell',
    PowerShell: 'shell',
    TodoWrite: 'plan',
    EnterPlanMode: 'plan',
    ExitPlanMode: 'plan',
  },
  promptOf: ({ prompt_id }) => prompt_id || null,
  userTextOf: ({ prompt = '' }) => prompt,
  outcomeOf,
  batchOf,
};
