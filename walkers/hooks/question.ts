import { createHash } from 'node:crypto';
import { z } from 'zod';
import {
  type Attempt,
  cursorState,
  deliveredCursorId,
  failingTests,
  failureOf,
  idOf,
  isFailure,
  type PlaceOf,
  type ReportedFailure,
  type StoryContext,
} from '../../graphs/trace/index.js';
import type { ReadContext } from '../../runtime/index.js';
import { TraceCursor } from '../../schema/index.js';

const text = z.string();

/** The moments at which a hook may answer. */
export const Moment = z.enum([
  'session_start',
  'prompt',
  'read',
  'read_history',
  'before_edit',
  'before_command',
  'edited',
  'failure',
]);

/** The question of a hook: what its client reported. */
export const HookQuestion = z.object({
  session_id: text.min(1).describe('As recorded'),
  moment: Moment,
  task_id: text.nullish().describe('The task at work: it is no earlier attempt'),
  tool_id: text.nullish().describe("The client's own id of the call"),
  prompt: text.nullish(),
  file_paths: z.array(text).nullish().describe('Files that it is about'),
  command: text.nullish(),
  output: text.nullish().describe('Output of the failing tool'),
  edit: z.object({ file: text, old: text, now: text }).nullish(),
});

/** A text that a hook did not wait for. */
export const LateText = z.object({ session_id: text.min(1), text });
export type LateText = z.infer<typeof LateText>;

/** A question with its context. */
export interface Asked {
  readonly question: z.infer<typeof HookQuestion>;
  readonly context: ReadContext;
  readonly placeOf: PlaceOf;
  readonly story: StoryContext;
  readonly files: readonly string[];
  /** Tasks at work in this session: no earlier attempts. */
  readonly own: ReadonlySet<string>;
  /** Whether the session was shown this before. */
  delivered(key: string): boolean;
}

/** What was delivered to a session. Keys are hashes: nothing can be read from them. */
export const DeliveredContext = z.object({
  keys: z.array(text).default([]),
  tokens: z.number().min(0).default(0),
  /** A text that came too late for its hook: it is delivered with the next one. */
  late: text.nullable().default(null),
});

/** What was delivered to a session so far. @param session As it is stored. */
export async function deliveredBefore(
  session: string,
  { nodesOf }: Pick<ReadContext, 'nodesOf'>,
): Promise<z.infer<typeof DeliveredContext>> {
  const [cursor] = await nodesOf(TraceCursor, [deliveredCursorId(session)]);
  return cursorState(DeliveredContext, cursor);
}

/** The stored form of a key. */
export function contextKey(session: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([session, key]))
    .digest('base64url')
    .slice(0, 22);
}

/** The key of having shown a task at all. */
export const attemptKey = (task: string): string => `attempt ${task}`;

/** The key of having told of a memory, at whatever moment. */
export const memoryKey = (memory: string): string => `memory ${memory}`;

/** All failures of an attempt in the order of time, each test by test before as a whole. */
export function* failuresOf(attempt: Attempt, story: StoryContext): Iterable<ReportedFailure> {
  for (const event of attempt.events.filter(isFailure))
    for (const test of [...failingTests(attempt, idOf(event)), null]) {
      const failure = failureOf(attempt, idOf(event), test, story);
      if (failure) yield failure;
    }
}
