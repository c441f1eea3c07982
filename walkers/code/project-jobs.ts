import { z } from 'zod';
import {
  allChanges,
  changesAt,
  dropTexts,
  INDEX_SESSION,
  indexWhole,
  rootOf,
} from '../../graphs/code/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS, projectNotIndexed } from '../../schema/index.js';
import { discover, languageOf } from '../../source/index.js';

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
  run: (_here, context) =>
    context.kept(INDEX_SESSION).alone(context, async (index): Promise<ChangesOutput> => {
      const { mark, damaged, hasTexts } = index;
      const { paths } = context.state;
      const indexed = mark !== undefined;
      const complete = mark?.complete === true && !damaged && hasTexts;
      if (!complete) return { indexed, complete, changes: [], folders: [], decides: false };
      const found = await (paths.length === 0
        ? allChanges(context, index)
        : changesAt(context, index, paths));
      return { ...found, indexed, complete };
    }),
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
  run: (_here, context) =>
    context.kept(INDEX_SESSION).alone(context, async ({ mark }) => {
      if (mark !== undefined) return { indexed: true, files: null };
      const { include, exclude, max_file_bytes } = context.state;
      const limits = { maxFileBytes: max_file_bytes };
      const { signal, pause } = context;
      const options = { languageOf, include, exclude, limits, signal, pause };
      return { indexed: false, files: (await discover(rootOf(context), options)).files.length };
    }),
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
  run: (_here, context) => {
    const session = context.kept(INDEX_SESSION);
    return session.alone(context, async (index) => {
      if (index.states.size === 0) throw projectNotIndexed(context.projectRoot);
      await dropTexts(context, index);
      const { include, exclude, max_file_bytes } = index.project;
      await indexWhole(context, index, session, { mode: 'incremental', include, exclude, max_file_bytes });
      return { files: index.states.size };
    });
  },
  markdown: ({ files }) => `What ${files} files say is indexed anew.\n`,
});
