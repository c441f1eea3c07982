import { type NodeRef, propsOf, type ReadContext } from '../../../runtime/index.js';
import { Memory, MemoryAbout, MemoryVersion, parseId } from '../../../schema/index.js';
import { memoryNamed } from '../../memory/named-memory.js';
import { keptSession } from '../event-ids.js';
import { timeOf } from '../times.js';
import { type Choice, saysPath } from './chosen-events.js';

type Look = Pick<ReadContext, 'find' | 'findIds' | 'nodesOf' | 'q'>;

/** Which memories are meant: those to which all of it applies that is given. */
export interface MemoryChoice extends Choice {
  /** The id of one, or its beginning. */
  readonly memory?: string | undefined;
  /** The session as the caller named it, and as it is kept. */
  readonly sessions: readonly string[] | null;
  /** Ids of the tasks that are meant; null: no task is named. */
  readonly tasks: ReadonlySet<string> | null;
}

/**
 * The memories that a choice means: made in the session, since the time, about the task, about the file or naming it in what
 * they say or said before.
 *
 * @throws CodewalkError `NODE_NOT_FOUND` for a memory that there is not.
 */
export async function chosenMemories(choice: MemoryChoice, context: Look): Promise<NodeRef<typeof Memory>[]> {
  const { memory, sessions, tasks, file } = choice;
  const since = choice.since === undefined ? Number.NEGATIVE_INFINITY : (timeOf(choice.since) ?? 0);
  const all = memory === undefined ? await context.find(Memory) : [await memoryNamed(context, memory)];
  const found = all.filter(
    ({ created_at, context_session_id }) =>
      Date.parse(created_at) >= since &&
      (sessions === null || (context_session_id !== null && isOf(context_session_id, sessions))),
  );
  if (tasks === null && file === undefined) return found;
  const targets = await targetsOf(found, context);
  const naming = file === undefined ? null : await namingFile(file, context);
  return found.filter((one) => {
    const about = targets.get(one.id) ?? [];
    const ofTask = tasks === null || about.some((id) => tasks.has(id));
    const ofFile = file === undefined || about.some((id) => isIn(id, file)) || (naming?.(one) ?? false);
    return ofTask && ofFile;
  });
}

function isOf(session: string, sessions: readonly string[]): boolean {
  return sessions.includes(session) || sessions.includes(keptSession(session));
}

function isIn(id: string, place: string): boolean {
  const path = parseId(id)?.path;
  return path === place || (path?.startsWith(`${place}/`) ?? false);
}

async function targetsOf(
  memories: readonly NodeRef<typeof Memory>[],
  { q }: Look,
): Promise<Map<string, string[]>> {
  const targets = new Map<string, string[]>();
  const ids = memories.map(({ id }) => id);
  for (const { from, to } of await q(ids).out(MemoryAbout).edges())
    targets.set(from, [...(targets.get(from) ?? []), to]);
  return targets;
}

/** Whether a memory names a file in what it says, or said before. */
async function namingFile(
  file: string,
  { find }: Look,
): Promise<(memory: NodeRef<typeof Memory>) => boolean> {
  const says = saysPath(file);
  const before = (await find(MemoryVersion)).filter((version) => says(propsOf(version)));
  const once = new Set(before.map(({ memory_id }) => memory_id));
  return (memory) => once.has(memory.id) || says(propsOf(memory));
}
