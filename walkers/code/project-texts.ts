import { z } from 'zod';
import { indexTexts } from '../../graphs/code/index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';

const TextsOutput = z.object({
  files: z.number().int(),
});

/**
 * Makes the text index of the code anew, once what changed on disk is in the graph. What it answers is what it answered
 * before: it holds nothing that the files do not say. For `codewalk index --text`: no tool. The host makes those of
 * attempts and memories anew behind it.
 */
export const ProjectTexts = defineWalker('project_texts', {
  description: 'Make the text index of the code anew, from what is indexed.',
  access: 'steps',
  input: {},
  output: TextsOutput,
  state: () => ({ output: null as z.infer<typeof TextsOutput> | null }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      context.state.output = { files: await indexTexts(context) };
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'indexing texts ended before it began', {
      suggestion: 'Give it a larger limit.',
    });
  },
  markdown: ({ files }) => `What ${files} files say is indexed anew.\n`,
});
