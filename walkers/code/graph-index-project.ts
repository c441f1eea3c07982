import { z } from 'zod';
import { defineWalker, Root } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { IndexOutput } from './indexing/index-output.js';
import { indexProject } from './indexing/index-project.js';
import { indexSummary } from './indexing/index-summary.js';

/**
 * Indexes the project: discovers its files, extracts those whose content changed, resolves whoever that can matter
 * to and writes the difference. Nothing of the graph has to be walked for it: it begins at the root and stays there.
 */
export const GraphIndexProject = defineWalker('graph_index_project', {
  description:
    'Index a project: files, symbols, calls, imports, inheritance. Run once, then again after changes (mode incremental).',
  access: 'steps',
  input: {
    mode: z
      .enum(['full', 'incremental'])
      .default('full')
      .describe(
        'full: extract every file again; incremental: only files whose content changed. Both write only what differs',
      ),
    include: z.array(z.string()).default([]).describe('Globs: only matching files; others leave the graph'),
    exclude: z.array(z.string()).default([]).describe('Globs: no matching files; they leave the graph'),
    max_file_bytes: z
      .number()
      .int()
      .min(LIMITS.fileBytes.min)
      .max(LIMITS.fileBytes.max)
      .default(LIMITS.fileBytes.default)
      .describe('Larger files are skipped'),
  },
  output: IndexOutput,
  state: () => ({ output: null as IndexOutput | null }),
  examples: [
    { title: 'Index everything', input: {} },
    { title: 'Only what changed', input: { mode: 'incremental' } },
  ],
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      context.state.output = await indexProject(context, context.state);
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'indexing ended before it began', {
      suggestion: 'Give it a larger limit.',
    });
  },
  markdown: indexSummary,
});
