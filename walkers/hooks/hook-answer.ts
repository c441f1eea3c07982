import { createHash } from 'node:crypto';
import { z } from 'zod';
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
import { type Asked, formatNotes, type HookQuestion, type Note } from './notes.js';
import { earlierFailures, promptNotes, sessionNotes } from './recalled-notes.js';
import { repeatedEdit, repeatedUse } from './repeat-notes.js';

const { fileContextText, hookContext, hookSession, recalledText } = LIMITS;
type Answer = (asked: Asked) => Promise<readonly Note[]>;

/** What each moment is answered with, the most important first, and the characters that it may take. */
const ANSWERS: Readonly<Record<HookQuestion['moment'], readonly [most: number, ...answers: Answer[]]>> = {
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

/** What was delivered to a session. Keys are hashes: nothing can be read from them. */
const Delivered = z.object({
  keys: z.array(z.string()).default([]),
  tokens: z.number().min(0).default(0),
  /** A text that came too late for its hook: it is delivered with the next one. */
  late: z.string().nullable().default(null),
});

/** Finds what to tell an agent at a moment of its work: short, sure, nothing twice in a session. It counts as delivered. */
export async function answerHook(question: HookQuestion, context: WriteContext): Promise<string | null> {
  const { projectRoot: root, nodesOf } = context;
  const session = storedSession(question.session_id);
  const before = await deliveredBefore(session, context);
  const [cursor] = await nodesOf(TraceCursor, [sessionCursorId(session)]);
  const current = cursorState(SessionState, cursor).begun?.task ?? promptlessTask(session);
  const placeOf = placesIn(root);
  const paths = [...(question.file_paths ?? []), ...(question.edit ? [question.edit.file] : [])];
  const hashed = (key: string) => {
    const hash = createHash('sha256').update(JSON.stringify([session, key]));
    return hash.digest('base64url').slice(0, 22);
  };
  const known = new Set(before.keys);
  const asked: Asked = {
    ...{ question, context, placeOf, story: { placeOf, root } },
    files: [...new Set(paths.flatMap((path) => placeOf(path) ?? []))],
    own: new Set([question.task_id ?? current, current]),
    delivered: (key) => known.has(hashed(key)),
  };
  const [most, ...answers] = ANSWERS[question.moment];
  const notes: Note[] = [];
  for (const answer of answers)
    if (before.tokens < (CONTEXT.has(answer) ? hookContext.max : hookSession.max))
      notes.push(...(await answer(asked)));
  const now = formatNotes(notes, most);
  const text = [before.late, now?.text].filter((one) => one != null).join('\n\n');
  if (text === '') return null;
  const keys = [...new Set([...before.keys, ...(now?.keys ?? []).map(hashed)])].slice(-MOST_KEYS);
  const state = { keys, tokens: before.tokens + tokensOf(text), late: null };
  await context.create(TraceCursor({ state }, { id: deliveredCursorId(session) }));
  return text;
}

/** Stores a text whose hook went before it came: the next hook of the session delivers it. */
export async function storeLate(session_id: string, late: string, context: WriteContext): Promise<void> {
  const session = storedSession(session_id);
  const state = { ...(await deliveredBefore(session, context)), late };
  await context.create(TraceCursor({ state }, { id: deliveredCursorId(session) }));
}

async function deliveredBefore(session: string, { nodesOf }: WriteContext) {
  const [cursor] = await nodesOf(TraceCursor, [deliveredCursorId(session)]);
  return cursorState(Delivered, cursor);
}
