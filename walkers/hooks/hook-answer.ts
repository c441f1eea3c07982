import type { z } from 'zod';
import {
  cursorState,
  deliveredCursorId,
  placesIn,
  promptlessTask,
  SessionState,
  sessionCursorId,
  storedSession,
} from '../../graphs/trace/index.js';
import { tokensOf } from '../../present/index.js';
import type { WriteContext } from '../../runtime/index.js';
import { LIMITS, TraceCursor } from '../../schema/index.js';
import { fileNotes } from './file-notes.js';
import { formatNotes, type Note } from './notes.js';
import {
  type Asked,
  contextKey,
  type DeliveredContext,
  deliveredBefore,
  type LateText,
  type Moment,
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

const MOST_KEYS = 500;

/** Finds what to tell an agent at a moment of its work: short, sure, nothing twice in a session. It counts as delivered. */
export async function answerHook(
  question: Asked['question'],
  context: WriteContext & Asked['context'],
): Promise<string | null> {
  const { projectRoot } = context;
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
  if (text === '') return null;
  const delivered = now?.keys.map((key) => contextKey(session, key)) ?? [];
  const keys = [...new Set([...before.keys, ...delivered])].slice(-MOST_KEYS);
  await writeDelivered(session, { keys, tokens: before.tokens + tokensOf(text), late: null }, context);
  return text;
}

/** Stores a text whose hook went before it came: the next hook of the session delivers it. */
export async function storeLate({ session_id, text }: LateText, context: WriteContext): Promise<void> {
  const session = storedSession(session_id);
  await writeDelivered(session, { ...(await deliveredBefore(session, context)), late: text }, context);
}

async function writeDelivered(
  session: string,
  state: z.infer<typeof DeliveredContext>,
  { create }: WriteContext,
): Promise<void> {
  await create(TraceCursor({ state }, { id: deliveredCursorId(session) }));
}
