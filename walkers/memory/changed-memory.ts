import { type NodeRef, type PropsInput, propsOf, type WriteContext } from '../../runtime/index.js';
import { type Memory, MemorySaid, MemoryVersion, memoryVersionId } from '../../schema/index.js';

/**
 * Changes what a memory says and keeps what it said before, as a version. Nothing happens where nothing is new.
 *
 * @returns Whether anything changed.
 */
export async function changeMemory(
  context: WriteContext,
  memory: NodeRef<typeof Memory>,
  patch: Partial<PropsInput<typeof Memory>>,
): Promise<boolean> {
  const before = propsOf(memory);
  if (Object.entries(patch).every(([field, value]) => isSame(before[field], value))) return false;
  const now = new Date(context.now()).toISOString();
  const { id, updated_at, version } = memory;
  const span = { memory_id: id, version, said_at: updated_at, replaced_at: now };
  const kept = { ...MemorySaid.parse(before), ...span };
  await context.create(MemoryVersion(kept, { id: memoryVersionId(id, version) }));
  context.set<typeof Memory>(memory, { ...patch, updated_at: now, version: version + 1 });
  return true;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
