import type { Agent } from '../agent.js';
import { hookSpecificOutput } from '../hook-specific-output.js';
import { tell } from '../lifecycle/tell.js';
import { hasFailed, type Told } from '../told.js';
import { dialect } from './dialect.js';

/** Qwen Code: 0.24 and later, and 0.15, which its payloads' own fields tell apart. */
export const qwen: Agent = {
  name: 'qwen',
  tell: (payload) => tell(payload, dialect),
  momentOf,
  wrap: hookSpecificOutput,
};

/** Qwen drops what it is given before a tool: context comes with the first read, and after an edit (C-05). */
function momentOf({ happenings: [happening] }: Told): ReturnType<Agent['momentOf']> {
  switch (happening?.kind) {
    case 'session_start':
    case 'prompt':
      return happening.kind;
    case 'done': {
      const { call, outcome } = happening;
      if (hasFailed(outcome)) return 'failure';
      if (!outcome.success) return null;
      return call.doing === 'read' ? 'read' : call.doing === 'edit' ? 'edited' : null;
    }
    default:
      return null;
  }
}
