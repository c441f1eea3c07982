import type { z } from 'zod';
import { MemorySaid } from '../../../schema/index.js';
import { keptSaid } from '../kept-memory.js';
import { contextOf } from '../memory-context.js';
import { typeOf } from '../memory-fields.js';
import type { MemoryRecord, VersionRecord } from './memory-record.js';

/** What a memory says, as it is stored. */
export type StoredSaid = z.infer<typeof MemorySaid>;

/**
 * What a record says, as it is to be stored: secrets masked (P-04), other words for a type as the type.
 *
 * @throws CodewalkError `INVALID_INPUT` for a context that has unknown fields, or is too long.
 */
export function saidOf(record: MemoryRecord | VersionRecord, projectRoot: string | null): StoredSaid {
  const { type, tag } = typeOf(record.type);
  const tags = tag === null ? record.tags : [...record.tags, tag];
  return MemorySaid.parse({
    ...keptSaid({ ...record, tags }),
    type,
    ...contextOf(record.context, projectRoot),
  });
}
