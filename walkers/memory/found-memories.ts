import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { Memory, type MemoryType } from '../../schema/index.js';

/** What a memory has to be. */
export interface MemoryFilter {
  /** Any of them; empty: of any type. */
  readonly types: readonly MemoryType[];
  /** Any of them, in lower case; empty: whatever its tags. */
  readonly tags: readonly string[];
  readonly projectPath: string | null;
  readonly minImportance: number | null;
}

/** Whether a memory passes. */
export function passes(
  memory: NodeRef<typeof Memory>,
  { types, tags, projectPath, minImportance }: MemoryFilter,
): boolean {
  return (
    !memory.gone &&
    (types.length === 0 || types.includes(memory.type)) &&
    (tags.length === 0 || memory.tags.some((tag) => tags.includes(tag))) &&
    (projectPath === null || memory.context_project_path === projectPath) &&
    (minImportance === null || memory.importance >= minImportance)
  );
}

/** The order of S4-27: the most important first, then the latest. */
export function byImportance(a: NodeRef<typeof Memory>, b: NodeRef<typeof Memory>): number {
  return b.importance - a.importance || compareText(b.created_at, a.created_at) || compareText(a.id, b.id);
}

/** Memories that pass, in the order of S4-27. */
export async function foundMemories(
  { find }: Pick<ReadContext, 'find'>,
  filter: MemoryFilter,
): Promise<NodeRef<typeof Memory>[]> {
  return (await find(Memory)).filter((memory) => passes(memory, filter)).sort(byImportance);
}
