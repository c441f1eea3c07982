import { z } from 'zod';
import { defineWalker, Root } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { tokensOf } from '../token-budget.js';
import { placesIn } from '../trace/touched-files.js';
import { alikeAttempts } from './alike-attempts.js';
import { earlierFailures } from './earlier-failures.js';
import { fileContext } from './file-context.js';
import { ownTasks } from './own-tasks.js';
import { type Asked, type MOMENTS, QUESTION } from './question.js';
import { sessionStart } from './session-start.js';
import { type Remark, shownRemarks } from './shown-record.js';
import { TOLD_BEFORE } from './told-before.js';

type Moment = (typeof MOMENTS)[number];

/** What each moment is answered with, the most important first. */
const ANSWERS: Readonly<Record<Moment, readonly ((asked: Asked) => Promise<readonly Remark[]>)[]>> = {
  session_start: [sessionStart],
  prompt: [alikeAttempts],
  read: [fileContext],
  before_edit: [fileContext],
  before_command: [],
  edited: [],
  failure: [earlierFailures],
};

/** Moments that speak on when a session has had its share of context: a failure is what recall is for. */
const SPEAKS_ON: ReadonlySet<Moment> = new Set(['failure', 'before_command', 'edited']);

/**
 * What an agent is to be told at a moment of its work (C-05 to C-07): short, sure, nothing twice in a session. The
 * host asks for it when a hook does.
 */
export const HookAnswer = defineWalker('hook_answer', {
  description: 'What an agent is to be told at a moment of its work. The host asks for it when a hook does.',
  reads: 'trace',
  withoutGraph: 'empty',
  input: QUESTION,
  output: z.object({
    /** Null: nothing is worth being said. */
    text: z.string().nullable(),
  }),
  state: () => ({ text: null as string | null }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state: question } = context;
      const { session_id: session, moment } = question;
      const before = context.kept(TOLD_BEFORE);
      const { hookContext, hookSession, recalledText } = LIMITS;
      const most = SPEAKS_ON.has(moment) ? hookSession.max : hookContext.max;
      if (before.tokensOf(session) >= most) return;
      const placeOf = placesIn(context.projectRoot);
      const paths = [...(question.file_paths ?? []), ...(question.edit ? [question.edit.file] : [])];
      const asked: Asked = {
        question,
        context,
        placeOf,
        files: [...new Set(paths.flatMap((path) => placeOf(path) ?? []))],
        own: await ownTasks(session, question.task_id ?? null, context),
        told: (key) => before.has(session, key),
      };
      const remarks: Remark[] = [];
      for (const answer of ANSWERS[moment]) remarks.push(...(await answer(asked)));
      const text = shownRemarks(remarks, recalledText.max);
      if (text === null) return;
      before.add(
        session,
        remarks.flatMap(({ keys }) => keys),
        tokensOf(text),
      );
      question.text = text;
    }),
  ],
  finish: ({ state: { text } }) => ({ text }),
  markdown: ({ text }) => text ?? '',
});
