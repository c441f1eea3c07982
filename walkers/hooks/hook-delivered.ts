import { z } from 'zod';
import { deliveredCursorId, storedSession } from '../../graphs/trace/index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { TraceCursor } from '../../schema/index.js';
import { DeliveredContext, deliveredBefore } from './question.js';

/** Keys that are stored for one session: the latest. */
const MOST_KEYS = 500;

/** Marks what `hook_answer` found as delivered to a session, so that it is not told again. */
export const HookDelivered = defineWalker('hook_delivered', {
  description: 'Mark context as delivered to an agent. The host asks for it when a hook was answered.',
  access: 'write',
  reads: 'trace',
  input: { session_id: z.string().min(1), ...DeliveredContext.shape },
  output: z.object({ keys: z.number().int() }),
  state: () => ({ known: 0 }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state } = context;
      const session = storedSession(state.session_id);
      const before = await deliveredBefore(session, context);
      const keys = [...new Set([...before.keys, ...state.keys])].slice(-MOST_KEYS);
      const delivered = { keys, tokens: before.tokens + state.tokens, late: state.late };
      await context.create(TraceCursor({ state: delivered }, { id: deliveredCursorId(session) }));
      state.known = keys.length;
    }),
  ],
  finish: ({ state: { known } }) => ({ keys: known }),
  markdown: ({ keys }) => `${keys} known\n`,
});
