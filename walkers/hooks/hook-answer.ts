import { z } from 'zod';
import {
  cursorState,
  placesIn,
  promptlessTask,
  SessionState,
  sessionCursorId,
  storedSession,
} from '../../graphs/trace/index.js';
import { tokensOf } from '../../present/index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { LIMITS, TraceCursor } from '../../schema/index.js';
import { fileNotes } from './file-notes.js';
import { formatNotes, type Note } from './notes.js';
import {
  type Asked,
  contextKey,
  DeliveredContext,
  deliveredBefore,
  type Moment,
  QUESTION,
} from './question.js';
import { earlierFailures, promptNotes, sessionNotes } from './recalled-notes.js';
import { repeatedEdit, repeatedUse } from './repeat-notes.js';

const { fileContextText, hookContext, hookSession, recalledText } = LIMITS;
type Answer = (asked: Asked) => Promise<readonly Note[]>;

/** What each moment is answered with, the most important first, and the characters that it may take. */
const ANSWERS: Readonly<Record<z.infer<typeof Moment>, readonly [most: number, ...answers: Answer[]]>> = {
  session_start: [recalledText.max, sessionNotes],
  prompt: [recalledText.max, promptNotes],
  read: [fileContextText.max, fileNotes],
  read_history: [fileContextText.max, fileNotes],
  before_edit: [recalledText.max, repeatedEdit, fileNotes],
  before_command: [recalledText.max, repeatedUse],
  edited: [recalledText.max, repeatedEdit, fileNotes],
  failure: [recalledText.max, repeatedUse, earlierFailures],
};

/** What a session gets no more of when it has had its share of context. */
const CONTEXT: ReadonlySet<Answer> = new Set([sessionNotes, promptNotes, fileNotes]);

/** What an agent is told at a moment of its work (C-05 to C-07): short, sure, nothing twice in a session. */
export const HookAnswer = defineWalker('hook_answer', {
  description: 'Find what to tell an agent at a moment of its work. The host asks for it when a hook does.',
  reads: 'trace',
  withoutGraph: 'empty',
  input: QUESTION,
  output: z.object({
    /** Null: nothing is worth being said. */
    text: z.string().nullable(),
    /** What it delivers, for `hook_delivered`. */
    delivered: DeliveredContext.nullable(),
  }),
  state: () => ({ answer: null as { text: string; delivered: z.infer<typeof DeliveredContext> } | null }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state: question, projectRoot } = context;
      const session = storedSession(question.session_id);
      const before = await deliveredBefore(session, context);
      const [cursor] = await context.nodesOf(TraceCursor, [sessionCursorId(session)]);
      const current = cursorState(SessionState, cursor).begun?.task ?? promptlessTask(session);
      const placeOf = placesIn(projectRoot);
      const paths = [...(question.file_paths ?? []), ...(question.edit ? [question.edit.file] : [])];
      const known = new Set(before.keys);
      const asked: Asked = {
        question,
        context,
        placeOf,
        story: { placeOf, root: projectRoot },
        files: [...new Set(paths.flatMap((path) => placeOf(path) ?? []))],
        own: new Set([question.task_id ?? current, current]),
        delivered: (key) => known.has(contextKey(session, key)),
      };
      const [most, ...answers] = ANSWERS[question.moment];
      const notes: Note[] = [];
      for (const answer of answers)
        if (before.tokens < (CONTEXT.has(answer) ? hookContext.max : hookSession.max))
          notes.push(...(await answer(asked)));
      const now = formatNotes(notes, most);
      const text = [before.late, now?.text].filter((one) => one != null).join('\n\n');
      if (text === '') return;
      const keys = now?.keys.map((key) => contextKey(session, key)) ?? [];
      context.state.answer = { text, delivered: { keys, tokens: tokensOf(text), late: null } };
    }),
  ],
  finish: ({ state: { answer } }) => answer ?? { text: null, delivered: null },
  markdown: ({ text }) => text ?? '',
});
