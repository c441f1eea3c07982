import type { NodeRef, WriteContext } from '../../runtime/index.js';
import { type Memory, MemoryVersion, memoryVersionId } from '../../schema/index.js';
import { forgetVectors } from '../../search/index.js';
import { removeMemoryText } from './memory-text.js';

/** Ids of a memory and of all that it said before. */
export function idsOfMemory({ id, version }: NodeRef<typeof Memory>): string[] {
  return [id, ...Array.from({ length: version - 1 }, (_, at) => memoryVersionId(id, at + 1))];
}

/** Takes memories out, with what they said before, their relations and their words. */
export async function removeMemories(
  context: WriteContext,
  memories: readonly NodeRef<typeof Memory>[],
): Promise<void> {
  const versions = await context.nodesOf(
    MemoryVersion,
    memories.flatMap((memory) => idsOfMemory(memory).slice(1)),
  );
  await context.del([...memories, ...versions.filter(({ gone }) => !gone)]);
  await removeMemoryText(
    context,
    memories.map(({ id }) => id),
  );
  await forgetVectors(
    context,
    memories.map(({ id }) => ['Memory', id] as const),
  );
}
