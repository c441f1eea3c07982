import { z } from 'zod';
import { INDEX_SESSION, rootOf } from '../../graphs/code/index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { discover, languageOf } from '../../source/index.js';

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
      const { include, exclude, max_file_bytes } = context.state;
      const { alone } = context.kept(INDEX_SESSION);
      context.state.output = await alone(context, async ({ mark }) => {
        if (mark !== undefined) return { indexed: true, files: null };
        const { files } = await discover(rootOf(context), {
          languageOf,
          include,
          exclude,
          limits: { maxFileBytes: max_file_bytes },
          signal: context.signal,
          pause: context.pause,
        });
        return { indexed: false, files: files.length };
      });
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'looking at the project ended before it began');
  },
  markdown: ({ indexed, files }) => (indexed ? 'indexed\n' : `not indexed, ${files} files\n`),
});
