import { z } from 'zod';
import { tokensOf } from '../../present/index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { keptSession } from '../trace/event-ids.js';
import { placesIn } from '../trace/touched-files.js';
import { alikeAttempts } from './alike-attempts.js';
import { earlierFailures } from './earlier-failures.js';
import { fileContext } from './file-context.js';
import { ownTasks } from './own-tasks.js';
import { type Asked, type MOMENTS, QUESTION } from './question.js';
import { repeatedEdit } from './repeated-edit.js';
import { repeatedCommand, repeatedFailure } from './repeated-failure.js';
import { indexingNotice, sessionStart } from './session-start.js';
import { type Remark, shownRemarks } from './shown-record.js';
import { Told, toldBefore, toldKey } from './told-before.js';

const { fileContextText, hookContext, hookSession, recalledText } = LIMITS;

type Moment = (typeof MOMENTS)[number];

type Answer = (asked: Asked) => Promise<readonly Remark[]>;

/** What each moment is answered with, the most important first, and the characters that it may take. */
const ANSWERS: Readonly<Record<Moment, { readonly most: number; readonly answers: readonly Answer[] }>> = {
  session_start: { most: recalledText.max, answers: [sessionStart, indexingNotice] },
  prompt: { most: recalledText.max, answers: [alikeAttempts, indexingNotice] },
  read: { most: fileContextText.max, answers: [fileContext] },
  before_edit: { most: recalledText.max, answers: [repeatedEdit, fileContext] },
  before_command: { most: recalledText.max, answers: [repeatedCommand] },
  edited: { most: recalledText.max, answers: [repeatedEdit, fileContext] },
  failure: { most: recalledText.max, answers: [repeatedFailure, earlierFailures] },
};

/** What a session gets no more of when it has had its share of context. */
const CONTEXT: ReadonlySet<Answer> = new Set([sessionStart, alikeAttempts, fileContext]);

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
    /** What the session was told by it, for `hook_told`. */
    told: Told.nullable(),
  }),
  state: () => ({ text: null as string | null, shown: null as Told | null }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state: question } = context;
      const session = keptSession(question.session_id);
      const { most, answers } = ANSWERS[question.moment];
      const before = await toldBefore(session, context);
      const left = answers.filter(
        (one) => before.tokens < (CONTEXT.has(one) ? hookContext.max : hookSession.max),
      );
      if (left.length === 0) return;
      const placeOf = placesIn(context.projectRoot);
      const paths = [...(question.file_paths ?? []), ...(question.edit ? [question.edit.file] : [])];
      const known = new Set(before.keys);
      const asked: Asked = {
        question,
        context,
        placeOf,
        files: [...new Set(paths.flatMap((path) => placeOf(path) ?? []))],
        own: await ownTasks(session, question.task_id ?? null, context),
        told: (key) => known.has(toldKey(session, key)),
      };
      const remarks: Remark[] = [];
      for (const answer of left) remarks.push(...(await answer(asked)));
      const shown = shownRemarks(remarks, most);
      if (shown === null) return;
      const { text } = shown;
      question.text = text;
      question.shown = { keys: shown.keys.map((key) => toldKey(session, key)), tokens: tokensOf(text) };
    }),
  ],
  finish: ({ state: { text, shown } }) => ({ text, told: shown }),
  markdown: ({ text }) => text ?? '',
});
