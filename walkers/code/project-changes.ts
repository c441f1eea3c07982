import { z } from 'zod';
import { projectChanges } from '../../graphs/code/index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';

const ChangesOutput = z.object({
  /** Whether the project was ever indexed. */
  indexed: z.boolean(),
  /** False where the last index run did not finish, or texts are not indexed: then a run over the whole project is due. */
  complete: z.boolean(),
  /** Paths that the graph has otherwise than the disk, in their order. */
  changes: z.array(z.object({ path: z.string(), change: z.enum(['changed', 'new', 'gone']) })),
  /** Folders that discovery looks into, among those that were looked at: absolute, as on disk. */
  folders: z.array(z.string()),
  /** Whether something among the changes decides about other files, as an ignore file does. */
  decides: z.boolean(),
});

/** What {@link ProjectChanges} answers. */
export type ChangesOutput = z.infer<typeof ChangesOutput>;

/**
 * Says what of the project is on disk otherwise than in its graph, and changes neither. Takes its turn among the runs
 * of the indexer, whose memory of the files it uses. For the host: no tool and no command.
 */
export const ProjectChanges = defineWalker('project_changes', {
  description: 'What changed on disk since the project was indexed: changed, new and deleted files.',
  access: 'steps',
  input: {
    paths: z
      .array(z.string())
      .default([])
      .describe('Only at these paths, root-relative; default: everywhere'),
  },
  output: ChangesOutput,
  state: () => ({ output: null as ChangesOutput | null }),
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      context.state.output = await projectChanges(context, context.state.paths);
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'looking for changes ended before it began');
  },
});
