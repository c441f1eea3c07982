import type { NodeRef } from '../../../runtime/index.js';
import { CodewalkError, Task, TraceEvent } from '../../../schema/index.js';
import { shownLine } from '../../shown-text.js';
import type { RecordContext } from '../record-context.js';
import { timeOf } from '../times.js';

/** A kept event. */
export type EventRef = NodeRef<typeof TraceEvent>;

/** Which events are meant: those to which all of it applies that is given. */
export interface Choice {
  /** A task's id, or its beginning. */
  readonly task?: string | undefined;
  /** As it is kept: all tasks of it. Null: one that there is not. */
  readonly session?: string | null | undefined;
  /** Relative to the root: events that name it, in whatever text. A folder stands for what is beneath it. */
  readonly file?: string | undefined;
  /** ISO 8601, or milliseconds since 1970. */
  readonly since?: string | number | undefined;
}

/**
 * The events that a choice means, in no order.
 *
 * @throws CodewalkError `NODE_NOT_FOUND` for a task that there is not, `INVALID_INPUT` for a time that is none.
 */
export async function chosenEvents(choice: Choice, context: RecordContext): Promise<EventRef[]> {
  const { file, session } = choice;
  const since = choice.since === undefined ? Number.NEGATIVE_INFINITY : timeOf(choice.since);
  if (since === null)
    throw new CodewalkError('INVALID_INPUT', `since: '${shownLine(String(choice.since), 100)}' is no time`, {
      input: choice.since,
      suggestion:
        "Give a time as '2026-05-01T12:00:00Z' or milliseconds since 1970; on the command line also '30m', '2h' or '7d' ago.",
    });
  if (session === null) return [];
  const tasks = session === undefined ? null : await tasksOfSession(session, context);
  const names = file === undefined ? () => true : naming(file);
  const events =
    choice.task === undefined
      ? await context.find(TraceEvent)
      : await context.find(TraceEvent, { task: await taskNamed(choice.task, context) });
  return events.filter(
    (event) => event.at >= since && (tasks === null || tasks.has(event.task)) && names(event),
  );
}

/** The task with this id, or the only one whose id begins so. */
export async function taskNamed(name: string, { findIds }: RecordContext): Promise<string> {
  const ids = await findIds(Task);
  const found = ids.includes(name) ? [name] : ids.filter((id) => id.startsWith(name));
  const [task] = found;
  if (task !== undefined && found.length === 1) return task;
  const why = found.length === 0 ? 'there is no such task' : `${found.length} tasks begin so`;
  throw new CodewalkError('NODE_NOT_FOUND', `task '${name}': ${why}`, {
    input: name,
    suggestion: "'codewalk tasks' lists them.",
  });
}

async function tasksOfSession(session: string, { find }: RecordContext): Promise<Set<string>> {
  const events = [...(await find(TraceEvent, { session })), ...(await find(TraceEvent, { begins: session }))];
  const tasks = await find(Task, { session_id: session });
  return new Set([...events.map(({ task }) => task), ...tasks.map(({ id }) => id)]);
}

/** Whether an event says a path anywhere: among its files, in a prompt, in parameters, in what a tool printed. */
function naming(path: string): (event: EventRef) => boolean {
  const says = saysPath(path);
  return ({ fact }) => says(fact);
}

/** Tells whether a path stands in any text of a value. @param path Root-relative. */
export function saysPath(path: string): (value: unknown) => boolean {
  const literal = path.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  // A longer name that ends or begins alike is another one.
  const pattern = new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, 'u');
  return (value) => [...textsOf(value)].some((text) => pattern.test(text.replaceAll('\\', '/')));
}

function* textsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (Array.isArray(value)) for (const one of value) yield* textsOf(one);
  else if (typeof value === 'object' && value !== null)
    for (const [key, one] of Object.entries(value)) {
      yield key;
      yield* textsOf(one);
    }
}
