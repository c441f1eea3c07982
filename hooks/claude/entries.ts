import { LIMITS } from '../../schema/index.js';
import {
  type HookedEvent,
  type HookGroup,
  hookGroups,
  MAY_HIDE_FAILURE,
  type ServerEntry,
  serverCommand,
} from '../install/entries.js';
import type { Programs } from '../install/programs.js';

/** Seconds: twice the longest deadline of a hook that answers. */
const TIMEOUT = (2 * LIMITS.hookAnswer.max) / 1000;

/** It runs hooks where its shell stands, which an agent may leave the project with. */
const CLAUDE = { name: 'claude', folder: '$CLAUDE_PROJECT_DIR' } as const;

/** What may be about to repeat an earlier failure. */
const BEFORE = 'Edit|MultiEdit|Write|NotebookEdit|Bash';

/** The events that are hooked. A failed edit is told by PostToolBatch alone. */
const EVENTS: readonly HookedEvent[] = [
  { event: 'SessionStart', answers: true },
  { event: 'UserPromptSubmit', answers: true },
  { event: 'PreToolUse', answers: true, matcher: BEFORE },
  {
    event: 'PostToolUse',
    answers: true,
    matcher: '*',
    only: `"tool_name" *: *"(Read|NotebookRead)"|"tool_name" *: *"Bash".*(${MAY_HIDE_FAILURE})`,
  },
  { event: 'PostToolUseFailure', answers: true, matcher: '*' },
  { event: 'PostToolBatch', answers: true, keep: 'tool_use_error' },
  { event: 'Stop', answers: false },
  { event: 'SessionEnd', answers: false },
];

/** The hooks of Claude Code, by event. */
export function claudeHooks(programs: Programs): Record<string, readonly HookGroup[]> {
  return hookGroups(CLAUDE, EVENTS, { timeout: TIMEOUT }, programs);
}

/** Our server as Claude Code writes one itself. */
export function claudeServer(programs: Programs, hooked?: 'claude'): ServerEntry {
  return { type: 'stdio', ...serverCommand(programs, hooked) };
}
