import { z } from 'zod';
import { deliveredCursorId, storedSession } from '../../graphs/trace/index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { TraceCursor } from '../../schema/index.js';
import { DeliveredContext, deliveredBefore, deliveredNow } from './question.js';

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
      const delivered = deliveredNow(await deliveredBefore(session, context), state);
      await context.create(TraceCursor({ state: delivered }, { id: deliveredCursorId(session) }));
      state.known = delivered.keys.length;
    }),
  ],
  finish: ({ state: { known } }) => ({ keys: known }),
  markdown: ({ keys }) => `${keys} known\n`,
});
