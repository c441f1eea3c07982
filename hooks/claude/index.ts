import type { Agent } from '../agent.js';
import { hookSpecificOutput } from '../hook-specific-output.js';
import { tell } from '../lifecycle/tell.js';
import { hasFailed, type Told } from '../told.js';
import { dialect } from './dialect.js';

/** Claude Code. */
export const claude: Agent = {
  name: 'claude',
  tell: (payload) => tell(payload, dialect),
  momentOf,
  wrap: hookSpecificOutput,
};

/** Claude keeps what it is given before a tool, so context comes before the edit (C-05). */
function momentOf({ happenings: [happening] }: Told): ReturnType<Agent['momentOf']> {
  switch (happening?.kind) {
    case 'session_start':
    case 'prompt':
      return happening.kind;
    case 'begin':
      return happening.call.doing === 'edit'
        ? 'before_edit'
        : happening.call.doing === 'shell'
          ? 'before_command'
          : null;
    case 'done': {
      const { call, outcome } = happening;
      if (hasFailed(outcome)) return 'failure';
      return call.doing === 'read' && outcome.success ? 'read_history' : null;
    }
    default:
      return null;
  }
}
