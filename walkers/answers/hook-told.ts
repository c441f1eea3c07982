import { z } from 'zod';
import { defineWalker, Root } from '../../runtime/index.js';
import { TraceCursor } from '../../schema/index.js';
import { keptSession } from '../trace/event-ids.js';
import { toldCursorId } from '../trace/record-context.js';
import { Told, toldBefore, toldMore } from './told-before.js';

/** Takes note of what `hook_answer` told a session, so that another process does not tell it again. */
export const HookTold = defineWalker('hook_told', {
  description: 'Take note of what an agent was told. The host asks for it when a hook was answered.',
  access: 'write',
  reads: 'trace',
  input: { session_id: z.string().min(1), ...Told.shape },
  output: z.object({ keys: z.number().int() }),
  state: () => ({ known: 0 }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state } = context;
      const session = keptSession(state.session_id);
      const told = toldMore(await toldBefore(session, context), state);
      await context.create(TraceCursor({ state: told }, { id: toldCursorId(session) }));
      state.known = told.keys.length;
    }),
  ],
  finish: ({ state: { known } }) => ({ keys: known }),
  markdown: ({ keys }) => `${keys} known\n`,
});
