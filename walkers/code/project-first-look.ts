import { z } from 'zod';
import { filesToIndex } from '../../graphs/code/index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';

const LookOutput = z.object({
  /** Whether the project was ever indexed. */
  indexed: z.boolean(),
  /** The files that an index of it would take; null where it was indexed. */
  files: z.number().int().nullable(),
});

/**
 * Says whether a project was ever indexed, and how large it is where it was not. Changes nothing. For the host: no tool
 * and no command.
 */
export const ProjectFirstLook = defineWalker('project_first_look', {
  description: 'Whether the project was ever indexed, and how many files it has. The host asks for it.',
  access: 'steps',
  input: {
    include: z.array(z.string()).default([]).describe('As graph_index_project takes it'),
    exclude: z.array(z.string()).default([]),
    max_file_bytes: z.number().int().default(LIMITS.fileBytes.default),
  },
  output: LookOutput,
  state: () => ({ output: null as z.infer<typeof LookOutput> | null }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const files = await filesToIndex(context, context.state);
      context.state.output = { indexed: files === null, files };
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'looking at the project ended before it began');
  },
  markdown: ({ indexed, files }) => (indexed ? 'indexed\n' : `not indexed, ${files} files\n`),
});
