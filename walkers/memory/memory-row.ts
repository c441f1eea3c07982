import { z } from 'zod';
import { stripHidden } from '../../present/index.js';
import type { NodeRef } from '../../runtime/index.js';
import { CONTEXT_PREFIX, MEMORY_TYPES, type Memory, type MemoryVersion } from '../../schema/index.js';

const text = z.string();
const share = z.number();

/** What a memory says, now or earlier. */
export const SaidRow = z.object({
  type: z.enum(MEMORY_TYPES),
  title: text,
  content: text,
  summary: text.nullable(),
  tags: z.array(text),
  importance: share,
  confidence: share,
  effectiveness: share.nullable(),
});

/** One memory in an answer. */
export const MemoryRow = z.object({
  id: text,
  ...SaidRow.shape,
  usage_count: z.number().int(),
  created_at: text,
  updated_at: text,
  last_accessed: text.nullable(),
  /** What is known of S4-13's eleven fields, without their prefix. */
  context: z.record(text, z.unknown()),
});
export type MemoryRow = z.infer<typeof MemoryRow>;

/** A memory as tools show it. */
export function memoryRow(memory: NodeRef<typeof Memory>): MemoryRow {
  const { id, usage_count, created_at, updated_at, last_accessed } = memory;
  return {
    id,
    ...saidRow(memory),
    usage_count,
    created_at,
    updated_at,
    last_accessed,
    context: contextIn(memory),
  };
}

/** What it says, or said. Texts are somebody's: what nobody sees is taken out of them. */
export function saidRow(
  said: NodeRef<typeof Memory> | NodeRef<typeof MemoryVersion>,
): z.infer<typeof SaidRow> {
  const { type, title, content, summary, tags, importance, confidence, effectiveness } = said;
  return {
    type,
    title: stripHidden(title),
    content: stripHidden(content),
    summary: summary === null ? null : stripHidden(summary),
    tags: [...tags],
    importance,
    confidence,
    effectiveness,
  };
}

/** What is known of where a memory was made: fields without their prefix, in the schema's order. */
export function contextIn(memory: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const known = Object.entries(memory).filter(
    ([field, value]) =>
      field.startsWith(CONTEXT_PREFIX) && value !== null && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(known.map(([field, value]) => [field.slice(CONTEXT_PREFIX.length), value]));
}
