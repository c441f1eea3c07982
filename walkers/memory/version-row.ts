import { z } from 'zod';
import type { NodeRef } from '../../runtime/index.js';
import type { Memory, MemoryVersion } from '../../schema/index.js';
import { contextIn, SaidRow, saidRow } from './memory-row.js';

const text = z.string();

/** What a memory said from one time to another. */
export const VersionRow = z.object({
  memory_id: text,
  /** From 1. */
  version: z.number().int(),
  said_at: text,
  /** When something else was said instead; null: it says this now. */
  replaced_at: text.nullable(),
  ...SaidRow.shape,
  context: z.record(text, z.unknown()),
});
export type VersionRow = z.infer<typeof VersionRow>;

type Said = NodeRef<typeof Memory> | NodeRef<typeof MemoryVersion>;
type Span = Pick<VersionRow, 'memory_id' | 'said_at' | 'replaced_at'>;

/** What a memory says now. */
export function currentRow(memory: NodeRef<typeof Memory>): VersionRow {
  return rowOf(memory, { memory_id: memory.id, said_at: memory.updated_at, replaced_at: null });
}

/** What it said before. */
export function versionRow(version: NodeRef<typeof MemoryVersion>): VersionRow {
  return rowOf(version, version);
}

function rowOf(said: Said, { memory_id, said_at, replaced_at }: Span): VersionRow {
  const { version } = said;
  return { memory_id, version, said_at, replaced_at, ...saidRow(said), context: contextIn(said) };
}
