import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  cursorState,
  deliveredCursorId,
  type PlaceOf,
  promptlessTask,
  SessionState,
  type StoryContext,
  sessionCursorId,
} from '../../graphs/trace/index.js';
import type { ReadContext } from '../../runtime/index.js';
import { TraceCursor } from '../../schema/index.js';

/** The moments at which a hook may answer. */
export const MOMENTS = [
  'session_start',
  'prompt',
  'read',
  'read_history',
  'before_edit',
  'before_command',
  'edited',
  'failure',
] as const;

const text = z.string();

/** The input of a hook's question: what its client reported. */
export const QUESTION = {
  session_id: text.min(1).describe('As recorded'),
  moment: z.enum(MOMENTS),
  task_id: text.nullish().describe('The task at work: it is no earlier attempt'),
  tool_id: text.nullish().describe("The client's own id of the call"),
  prompt: text.nullish(),
  file_paths: z.array(text).nullish().describe('Files that it is about'),
  command: text.nullish(),
  output: text.nullish().describe('Output of the failing tool'),
  edit: z.object({ file: text, old: text, now: text }).nullish(),
};

/** A question with its context. */
export interface Asked {
  readonly question: z.infer<z.ZodObject<typeof QUESTION>>;
  readonly context: ReadContext;
  readonly placeOf: PlaceOf;
  readonly story: StoryContext;
  /** Root-relative paths of the files that it is about, each once. */
  readonly files: readonly string[];
  /** Tasks at work in this session: no earlier attempts. */
  readonly own: ReadonlySet<string>;
  /** Whether the session was told this before. */
  delivered(key: string): boolean;
}

/** Keys that are stored for one session: the latest. */
const MOST_KEYS = 500;

/** What was delivered to a session. Keys are hashes: nothing can be read from them. */
export const DeliveredContext = z.object({
  keys: z.array(text).default([]),
  tokens: z.number().min(0).default(0),
  /** A text that came too late for its hook: it is delivered with the next one (C-03). */
  late: text.nullable().default(null),
});
/** See {@link DeliveredContext}. */
export type DeliveredContext = z.infer<typeof DeliveredContext>;

/** What was delivered to a session so far. @param session As it is stored. */
export async function deliveredBefore(
  session: string,
  { nodesOf }: Pick<ReadContext, 'nodesOf'>,
): Promise<DeliveredContext> {
  const [cursor] = await nodesOf(TraceCursor, [deliveredCursorId(session)]);
  return cursorState(DeliveredContext, cursor);
}

/** What was delivered, with what is delivered now. */
export function deliveredNow(before: DeliveredContext, now: DeliveredContext): DeliveredContext {
  const keys = [...new Set([...before.keys, ...now.keys])].slice(-MOST_KEYS);
  return { keys, tokens: before.tokens + now.tokens, late: now.late };
}

/** The stored form of a key. */
export function contextKey(session: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([session, key]))
    .digest('base64url')
    .slice(0, 22);
}

/** The key of having told of a task at all. */
export const attemptKey = (task: string): string => `attempt ${task}`;

/** The tasks at work in a session: the one that a question names, and the one that began last in it. */
export async function ownTasks(
  session: string,
  task: string | null,
  { nodesOf }: Pick<ReadContext, 'nodesOf'>,
): Promise<ReadonlySet<string>> {
  const [cursor] = await nodesOf(TraceCursor, [sessionCursorId(session)]);
  const current = cursorState(SessionState, cursor).begun?.task ?? promptlessTask(session);
  return new Set(task === null ? [current] : [task, current]);
}
