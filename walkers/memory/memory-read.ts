import { z } from 'zod';
import { defineWalker, type FollowUp } from '../../runtime/index.js';
import { Memory } from '../../schema/index.js';

/** Counts that memories were read (S4-10, S4-12). A reading walker may not write: the host runs this after its answer. */
export const MemoryRead = defineWalker('memory_read', {
  description: 'Count that memories were read. The host asks for it when an answer has shown them.',
  access: 'write',
  reads: 'trace',
  input: { ids: z.array(z.string()) },
  output: z.object({ counted: z.number().int() }),
  finish: async ({ state: { ids }, context }) => {
    const memories = (await context.nodesOf(Memory, [...new Set(ids)])).filter(({ gone }) => !gone);
    const last_accessed = new Date(context.now()).toISOString();
    for (const memory of memories)
      context.set<typeof Memory>(memory, { usage_count: memory.usage_count + 1, last_accessed });
    return { counted: memories.length };
  },
  markdown: ({ counted }) => `${counted} counted\n`,
});

/** The follow-up of a walker that has shown memories. */
export function wasRead(ids: readonly string[]): FollowUp | null {
  return ids.length === 0 ? null : { walker: MemoryRead.name, input: { ids } };
}
