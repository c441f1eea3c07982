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

/**
 * Milliseconds in both version families: 0.24 counts in seconds, but takes 1000 and more as milliseconds. Twice the
 * longest deadline of a hook that answers.
 */
const TIMEOUT = 2 * LIMITS.hookAnswer.max;

/** The events that are hooked. PreToolUse is none: its context never reaches the model, and PostToolUse tells all it does. */
const EVENTS: readonly HookedEvent[] = [
  { event: 'SessionStart', answers: true },
  // Without a prompt it is fired before every request of a turn.
  { event: 'UserPromptSubmit', answers: true, drop: '"prompt" *: *""' },
  {
    event: 'PostToolUse',
    matcher: '*',
    answers: true,
    // 0.15 tells of a failed command as of one that ended well.
    only: `"tool_name" *: *"(read_file|read_many_files|edit|replace|write_file|notebook_edit)"|Exit Code: -?[1-9]|Command timed out|${MAY_HIDE_FAILURE}`,
  },
  { event: 'PostToolUseFailure', matcher: '*', answers: true },
  { event: 'Stop', answers: false },
  { event: 'SessionEnd', answers: false },
];

/** The hooks of Qwen Code, by event. */
export function qwenHooks(programs: Programs): Record<string, readonly HookGroup[]> {
  return hookGroups({ name: 'qwen' }, EVENTS, { name: 'codewalk', timeout: TIMEOUT }, programs);
}

/** Our server as Qwen Code takes it: 0.24 hides the tools of others behind a search. */
export function qwenServer(programs: Programs, hooked?: 'qwen'): ServerEntry {
  return { ...serverCommand(programs, hooked), alwaysLoadTools: true };
}
