import { basename, extname } from 'node:path/posix';
import { showsFailure } from '../failures/index.js';
import { isRecord, type Payload } from '../read-payload.js';
import { answersWithExitCode, hidesExitCode } from '../shell/purpose.js';
import type { Call, Happening, Outcome, Told } from '../told.js';
import { callOf } from './call.js';
import type { Dialect } from './dialect.js';
import { type LifecycleFields, lifecycleFields } from './fields.js';

/** Of a payload that tells no session: all of them together are one. */
const NAMELESS = 'unnamed';

/** What a payload tells in the words of a client's dialect; null where it names no event. */
export function tell(payload: Payload, dialect: Dialect): Told | null {
  const fields = lifecycleFields(payload);
  const { hook_event_name: event, agent_id = '', timestamp } = fields;
  if (event === undefined) return null;
  const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return {
    event,
    session: sessionOf(fields),
    prompt: dialect.promptOf(fields),
    subAgent: agent_id === '' ? null : agent_id,
    at: Number.isFinite(at) && at > 0 ? at : null,
    happenings: [
      ...happeningsOf(event, fields, dialect),
      ...(fields.checkpoint_file ? [{ kind: 'checkpoint', file: fields.checkpoint_file } as const] : []),
    ],
  };
}

function sessionOf({ session_id, transcript_path }: LifecycleFields): string {
  if (session_id) return session_id;
  const file = basename((transcript_path ?? '').replaceAll('\\', '/'));
  return file.slice(0, file.length - extname(file).length) || NAMELESS;
}

function happeningsOf(event: string, fields: LifecycleFields, dialect: Dialect): Happening[] {
  switch (event) {
    case 'SessionStart':
      return [{ kind: 'session_start' }];
    case 'UserPromptSubmit': {
      const text = dialect.userTextOf(fields);
      return text.trim() === '' ? [] : [{ kind: 'prompt', text }];
    }
    case 'PreToolUse':
      return calls(fields, dialect).map((call) => ({ kind: 'begin', call }));
    case 'PostToolUse':
    case 'PostToolUseFailure': {
      const outcome = dialect.outcomeOf(fields, event === 'PostToolUseFailure');
      return calls(fields, dialect).map((call) => ({ kind: 'done', call, outcome: judged(call, outcome) }));
    }
    case 'PostToolBatch':
      return dialect.batchOf(fields).map(({ outcome, ...call }) => ({
        kind: 'done',
        call: callOf(call, fields.cwd, dialect),
        outcome,
      }));
    case 'Stop':
      return [{ kind: 'stop', status: 'ended', summary: fields.last_assistant_message ?? '' }];
    case 'StopFailure':
      return [{ kind: 'stop', status: 'aborted', summary: fields.last_assistant_message ?? '' }];
    case 'SessionEnd':
      return [{ kind: 'session_end' }];
    default:
      return [];
  }
}

/** The call that an event is about: none where it names neither a tool nor what it got. */
function calls(fields: LifecycleFields, dialect: Dialect): Call[] {
  const { tool_name = '', tool_input: input, tool_use_id, tool_call_id } = fields;
  if (tool_name === '' && !isRecord(input)) return [];
  const id = tool_use_id || tool_call_id || null;
  return [callOf({ tool: tool_name || 'unknown', input, id }, fields.cwd, dialect)];
}

/** A search that finds nothing exits with 1, and nothing failed; what tries the work may fail and exit with 0. */
function judged(call: Call, outcome: Outcome): Outcome {
  const { command } = call;
  const answered = outcome.exitCode === 1 && outcome.stderr === '' && answersWithExitCode(command ?? '');
  if (answered) return { ...outcome, success: true };
  // A pipe ends as its last command does.
  const hides = outcome.success && command !== null && hidesExitCode(command) && showsFailure(call, outcome);
  return hides ? { ...outcome, hidesFailure: true } : outcome;
}
