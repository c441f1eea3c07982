import { z } from 'zod';
import { defineWalker, Root } from '../../runtime/index.js';

/**
 * Asks nothing of the code graph. The host brings what changed on disk into it before any walker that reads code: this
 * is for when that is wanted and nobody has a question. No tool and no command.
 */
export const ProjectRefresh = defineWalker('project_refresh', {
  description: 'Bring the code graph up to date with the files. The host asks for it.',
  input: {},
  output: z.object({}),
  on: (w) => [w.entry(Root, () => undefined)],
  finish: () => ({}),
  markdown: () => '',
});
