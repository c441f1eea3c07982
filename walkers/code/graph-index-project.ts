import { z } from 'zod';
import { defineWalker } from '../../runtime/index.js';
import { CodewalkError, File, PROJECT_ID, Project } from '../../schema/index.js';
import { IndexOutput } from './indexing/index-output.js';
import { IndexRun } from './indexing/index-run.js';
import { indexSummary } from './indexing/index-summary.js';

/**
 * Indexes the project: discovers its files, extracts those whose content changed, resolves references over the
 * whole program and writes the difference. It walks Project, then every File to extract, and writes on the way
 * back, when all files are known.
 */
export const GraphIndexProject = defineWalker('graph_index_project', {
  description:
    'Index a project: files, symbols, calls, imports, inheritance. Run once, then again after changes (mode incremental). Returns counts and what was skipped.',
  access: 'steps',
  input: {
    mode: z
      .enum(['full', 'incremental'])
      .default('full')
      .describe(
        'full: extract every file again; incremental: only files whose content changed. Both write only what differs',
      ),
    include: z.array(z.string()).default([]).describe('Globs: only matching files'),
    exclude: z.array(z.string()).default([]).describe('Globs: no matching files'),
  },
  output: IndexOutput,
  state: () => ({ run: null as IndexRun | null }),
  examples: [
    { title: 'Index everything', input: {} },
    { title: 'Only what changed', input: { mode: 'incremental' } },
  ],
  start: async (context) =>
    (await context.node(PROJECT_ID)) ?? context.create(Project({}, { id: PROJECT_ID })),
  on: (w) => [
    w.entry(Project, async (_here, context) => {
      const run = await IndexRun.begin(context, context.state);
      context.state.run = run;
      if (await run.isUpToDate()) context.disengage();
      await context.visit(await run.changedFiles());
    }),
    w.entry(File, async (here, context) => {
      await context.state.run?.extract(here);
    }),
    w.exit(Project, async (_here, context) => {
      await context.state.run?.write();
    }),
  ],
  finish: ({ state }) => {
    const output = state.run?.output;
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'indexing ended before everything was written', {
      suggestion: 'What was extracted is kept. Run it again with mode incremental to go on.',
    });
  },
  markdown: indexSummary,
});
