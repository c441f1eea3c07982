import { LIMITS } from '../../schema/index.js';
import { type FittedRows, fitRows, short } from '../trace/fit-rows.js';
import type { MemoryRow } from './memory-row.js';

/** What is left of a memory's content, one step after the other (P-02): the text first, then what was said around it. */
const CONTENT = [2000, 500, 200] as const;

/** Makes lists of memories fit a budget: ids, titles, types and scores stay. */
export function fitMemories<T extends MemoryRow>(
  rows: readonly T[],
  asked: number | undefined,
): FittedRows<T> {
  return fitRows(rows, 'memories', { asked, fields: LIMITS.lookupTokens.default }, [
    ...CONTENT.map((most) => (row: T) => ({ ...row, content: short(row.content, most) })),
    (row) => ({ ...row, context: {} }),
    (row) => ({ ...row, content: row.summary === null ? row.content : '', tags: row.tags.slice(0, 5) }),
    (row) => ({ ...row, content: '', summary: null }),
  ]);
}
