import { z } from 'zod';
import {
  idField,
  memoryList,
  memoryNamed,
  VersionRow,
  versionLines,
  versionRow,
  versionsOf,
} from '../../graphs/memory/index.js';
import { listAnswer, listMarkdown, minuteOf, pageFields } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';

/** Shows the versions of a memory. */
export const MemoryHistory = defineWalker('memory_history', {
  description: 'The content of a memory now and before each update, the latest first, with what changed.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: { memory_id: idField, ...pageFields(LIMITS.lookupTokens) },
  output: z.object({
    memory_id: z.string(),
    /** The latest first: the present content. */
    versions: z.array(
      VersionRow.extend({
        /** The fields that differ from the version before; empty for the first one. */
        changed: z.array(z.string()),
      }),
    ),
  }),
  examples: [{ title: 'How a decision changed', input: { memory_id: '01k8z5x2m9' } }],
  finish: async ({ state: { memory_id, cursor }, context }) => {
    const memory = await memoryNamed(context, memory_id);
    const rows = (await versionsOf(context, memory.id)).map(versionRow);
    const versions = rows.map((row, at) => ({ ...row, changed: changedFrom(rows[at - 1], row) })).reverse();
    const found = { hits: versions, notes: [] };
    const list = memoryList('versions', 'versions');
    const rowsOf = async (some: readonly (typeof versions)[number][]) => [...some];
    return listAnswer(list, found, { cursor }, rowsOf, () => ({ memory_id: memory.id }));
  },
  markdown: ({ memory_id, versions }) =>
    listMarkdown(versions, ['version', 'versions', ` of ${memory_id}`], (row) => {
      const until = row.replaced_at === null ? 'now' : minuteOf(row.replaced_at);
      const what = row.changed.length > 0 ? `, changed: ${row.changed.join(', ')}` : '';
      return versionLines(row, `version ${row.version}, ${minuteOf(row.said_at)} to ${until}${what}`);
    }),
});

function changedFrom(before: VersionRow | undefined, now: VersionRow): string[] {
  if (!before) return [];
  const { memory_id: _, version: __, said_at: ___, replaced_at: ____, ...content } = now;
  const known: Readonly<Record<string, unknown>> = before;
  return Object.entries(content).flatMap(([field, value]) =>
    JSON.stringify(value) === JSON.stringify(known[field]) ? [] : [field],
  );
}
