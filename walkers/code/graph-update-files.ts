import { z } from 'zod';
import { defineWalker, Root } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';
import { pathField } from '../path-field.js';
import { updateFiles } from './indexing/update-files.js';
import { UpdateOutput, updateSummary } from './indexing/update-output.js';

const PATHS = z.array(pathField()).max(1000);

/**
 * Brings the graph up to date with files that changed, came or went, and with the edges of others to them. What it
 * costs follows the change: no other folder is listed, no other file is read.
 */
export const GraphUpdateFiles = defineWalker('graph_update_files', {
  description:
    'After editing files: bring their symbols and all edges to and from them up to date. Takes changed, new, deleted and renamed files, and folders.',
  access: 'steps',
  input: {
    paths: PATHS.min(1).describe(
      'Files or folders, absolute or relative to the project root; deleted ones too',
    ),
    file_paths: PATHS.default([]).describe(
      'More of them, beside `paths`: by the name that the context tool has for them',
    ),
  },
  output: UpdateOutput,
  state: () => ({ output: null as UpdateOutput | null }),
  examples: [
    { title: 'One file', input: { paths: ['src/app.ts'] } },
    { title: 'A renamed file: both names', input: { paths: ['src/old.ts', 'src/new.ts'] } },
  ],
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      context.state.output = await updateFiles(context, [
        ...context.state.paths,
        ...context.state.file_paths,
      ]);
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'updating ended before it began', {
      suggestion: 'Give it a larger limit.',
    });
  },
  markdown: updateSummary,
});
