import { z } from 'zod';
import { ExchangeRecord, exportRecords } from '../../graphs/memory/index.js';
import { defineWalker } from '../../runtime/index.js';

const count = z.number().int();

/** Exports all that is stored of memories, one record a line. memory_import loses nothing of it. */
export const MemoryExport = defineWalker('memory_export', {
  description:
    'Export all memories as JSON lines, with their earlier versions, their relations and what they are about. memory import reads them.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {},
  report: ExchangeRecord,
  output: z.object({ memories: count, versions: count, relations: count, abouts: count }),
  examples: [{ title: 'All of it', input: {} }],
  finish: async ({ context }) => {
    const records = await exportRecords(context);
    for (const record of records) context.report(record);
    const { memories, versions, relations, abouts } = records[0];
    return { memories, versions, relations, abouts };
  },
  markdown: ({ memories, versions, relations, abouts }) =>
    `Exported ${memories} memories, ${versions} earlier versions, ${relations} relations and ${abouts} bindings.\n`,
});
