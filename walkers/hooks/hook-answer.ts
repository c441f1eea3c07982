import { z } from 'zod';
import { placesIn, storedSession } from '../../graphs/trace/index.js';
import { tokensOf } from '../../present/index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { repeatedEdit } from './edit-notes.js';
import { earlierFailures, repeatedCommand, repeatedFailure } from './failure-notes.js';
import { fileNotes } from './file-notes.js';
import { formatNotes, type Note } from './notes.js';
import { promptNotes } from './prompt-notes.js';
import {
  type Asked,
  contextKey,
  DeliveredContext,
  deliveredBefore,
  type MOMENTS,
  ownTasks,
  QUESTION,
} from './question.js';
import { sessionNotes } from './session-notes.js';

const { fileContextText, hookContext, hookSession, recalledText } = LIMITS;
type Moment = (typeof MOMENTS)[number];
type Answer = (asked: Asked) => Promise<readonly Note[]>;

/** What each moment is answered with, the most important first, and the characters that it may take. */
const ANSWERS: Readonly<Record<Moment, { readonly most: number; readonly answers: readonly Answer[] }>> = {
  session_start: { most: recalledText.max, answers: [sessionNotes] },
  prompt: { most: recalledText.max, answers: [promptNotes] },
  read: { most: fileContextText.max, answers: [fileNotes] },
  read_history: { most: fileContextText.max, answers: [fileNotes] },
  before_edit: { most: recalledText.max, answers: [repeatedEdit, fileNotes] },
  before_command: { most: recalledText.max, answers: [repeatedCommand] },
  edited: { most: recalledText.max, answers: [repeatedEdit, fileNotes] },
  failure: { most: recalledText.max, answers: [repeatedFailure, earlierFailures] },
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
  state: () => ({ answer: null as { text: string; delivered: DeliveredContext } | null }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state: question, projectRoot } = context;
      const session = storedSession(question.session_id);
      const before = await deliveredBefore(session, context);
      const { most, answers } = ANSWERS[question.moment];
      const left = answers.filter(
        (one) => before.tokens < (CONTEXT.has(one) ? hookContext.max : hookSession.max),
      );
      const placeOf = placesIn(projectRoot);
      const paths = [...(question.file_paths ?? []), ...(question.edit ? [question.edit.file] : [])];
      const known = new Set(before.keys);
      const asked: Asked = {
        question,
        context,
        placeOf,
        story: { placeOf, root: projectRoot },
        files: [...new Set(paths.flatMap((path) => placeOf(path) ?? []))],
        own: await ownTasks(session, question.task_id ?? null, context),
        delivered: (key) => known.has(contextKey(session, key)),
      };
      const notes: Note[] = [];
      for (const answer of left) notes.push(...(await answer(asked)));
      const now = formatNotes(notes, most);
      const text = [before.late, now?.text].filter((one) => one != null).join('\n\n');
      if (text === '') return;
      const keys = now?.keys.map((key) => contextKey(session, key)) ?? [];
      context.state.answer = { text, delivered: { keys, tokens: tokensOf(text), late: null } };
    }),
  ],
  finish: ({ state: { answer } }) => ({ text: answer?.text ?? null, delivered: answer?.delivered ?? null }),
  markdown: ({ text }) => text ?? '',
});
