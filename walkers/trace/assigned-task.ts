import type { NodeRef } from '../../runtime/index.js';
import { CodewalkError, Task, TraceCursor, type TraceEvent } from '../../schema/index.js';
import { namedTask, traceId } from './event-ids.js';
import { FoldState } from './fold-state.js';
import { cursorId, type RecordContext } from './record-event.js';

/** What an event says of where it belongs. */
export interface Belonging {
  /** The task that it names. */
  readonly given: string | null;
  readonly session: string | null;
  /** Whether the client told the time. */
  readonly told: boolean;
}

/** Decides which task an event belongs to, and notes it in the event. */
export async function assignedTask(
  event: NodeRef<typeof TraceEvent>,
  { given, told }: Belonging,
  context: RecordContext,
): Promise<{ warnings: readonly string[] }> {
  const task = given === null ? traceId('task', event.id) : namedTask(given);
  const known = await context.node(task);
  if (known && known.archetype.name !== Task.name)
    throw new CodewalkError('INVALID_INPUT', `task_id: '${task}' is a ${known.archetype.name}`, {
      input: task,
    });
  const [cursor] = await context.nodesOf(TraceCursor, [cursorId(task)]);
  const last = cursor && !cursor.gone ? FoldState.parse(cursor.state).last : null;
  // Events without a time keep the order in which they came.
  const at = told || last === null ? event.at : Math.max(event.at, last[0] + 1 / 1024);
  context.set<typeof TraceEvent>(event, { task, at });
  const warnings: string[] = [];
  if (!known && event.kind !== 'task_start')
    warnings.push(
      given === null
        ? `task_id: none was given, so a task was started for this ${event.kind}`
        : `task_id: '${given}' was not known; a task was started under it`,
    );
  return { warnings };
}
