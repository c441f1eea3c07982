import { z } from 'zod';
import { filesToIndex, indexTexts, projectChanges } from '../../graphs/code/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';

/*
 * What the host asks of a project in the worker that holds its graph: neither tools nor commands. They wait for their turn
 * among the runs of the indexer.
 */

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
export type ChangesOutput = z.infer<typeof ChangesOutput>;

/** Compares a project on disk with its graph, and changes neither. */
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
  run: (_here, context): Promise<ChangesOutput> => projectChanges(context, context.state.paths),
});

/** Says whether a project was ever indexed, and how many files an index would take where it was not. */
export const ProjectFirstLook = defineWalker('project_first_look', {
  description: 'Whether the project was ever indexed, and how many files it has. The host asks for it.',
  access: 'steps',
  input: {
    include: z.array(z.string()).default([]).describe('As graph_index_project takes it'),
    exclude: z.array(z.string()).default([]),
    max_file_bytes: z.number().int().default(LIMITS.fileBytes.default),
  },
  output: z.object({ indexed: z.boolean(), files: z.number().int().nullable() }),
  run: async (_here, context) => {
    const files = await filesToIndex(context, context.state);
    return { indexed: files === null, files };
  },
});

/** Does nothing: the host brings what changed on disk into the graph before any walker that reads code. */
export const ProjectRefresh = defineWalker('project_refresh', {
  description: 'Bring the code graph up to date with the files. The host asks for it.',
  input: {},
  output: z.object({}),
  run: () => ({}),
});

/** Rebuilds the text index of the code from what is indexed: for `codewalk index --text`. */
export const ProjectTexts = defineWalker('project_texts', {
  description: 'Make the text index of the code anew, from what is indexed.',
  access: 'steps',
  input: {},
  output: z.object({ files: z.number().int() }),
  run: async (_here, context) => ({ files: await indexTexts(context) }),
  markdown: ({ files }) => `What ${files} files say is indexed again.\n`,
});
