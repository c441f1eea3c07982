import { z } from 'zod';
import { importScip } from '../../graphs/code/index.js';
import { plural } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { CodewalkError } from '../../schema/index.js';

const count = z.number().int();

/**
 * Takes over what a compiler says of calls, references and overrides. What it says of a file holds until the file changes,
 * or an index of the same tool is imported again.
 */
export const GraphImportScip = defineWalker('graph_import_scip', {
  description:
    "Add a compiler's edges from a SCIP index (scip-typescript, scip-java, rust-analyzer...): exact, until their file changes or the tool's index is imported again.",
  access: 'steps',
  input: {
    file: z
      .string()
      .min(1)
      .optional()
      .meta({ positional: true })
      .describe('A SCIP index, as a compiler or language server wrote it'),
    prefix: z
      .string()
      .nullable()
      .default(null)
      .describe("The project's folder in which the index's paths begin; default: as the index says"),
    remove: z.boolean().default(false).describe('Remove what was imported, of all tools'),
  },
  output: z.object({
    /** Name of the tool that made the index; empty where all is removed. */
    tool: z.string(),
    /** Files of which a compiler's word is stored now. */
    files: count,
    /** Places in them whose meaning it says. */
    places: count,
    /** Files of which an earlier one is gone. */
    dropped: count,
    /** Calls that lead to a symbol of the project, or to no known one, before and now. */
    calls: z.object({ resolved: count, unresolved: count, resolved_before: count, unresolved_before: count }),
    left_out: z.array(z.object({ path: z.string(), reason: z.string(), detail: z.string() })),
    duration_ms: z.number(),
  }),
  examples: [
    { title: 'What TypeScript says', input: { file: 'index.scip' } },
    { title: 'An index of one package', input: { file: 'index.scip', prefix: 'packages/app' } },
  ],
  run: async (_here, context) => {
    const { file, prefix, remove } = context.state;
    if ((file === undefined) !== remove)
      throw new CodewalkError(
        'INVALID_INPUT',
        remove ? 'file: nothing is imported with remove' : 'file: none is named',
        {
          input: file,
          suggestion: 'Name a SCIP index, or remove what was imported with --remove.',
        },
      );
    return importScip(context, file === undefined ? null : { file, prefix });
  },
  markdown: ({ tool, files, places, dropped, calls, left_out }) =>
    [
      tool === ''
        ? `Removed what compilers said of ${plural(dropped, 'file')}.`
        : `${tool} says what ${plural(places, 'name')} in ${plural(files, 'file')} mean${dropped > 0 ? `; what it said of ${plural(dropped, 'other file')} is gone` : ''}.`,
      `Calls to symbols of the project: ${calls.resolved_before} before, ${calls.resolved} now; unresolved: ${calls.unresolved_before}, ${calls.unresolved}.`,
      ...(left_out.length > 0 ? [`Left out: ${plural(left_out.length, 'document')}.`] : []),
      ...left_out.slice(0, 20).map(({ path, detail }) => `- ${path}: ${detail}`),
      ...(left_out.length > 20 ? [`- and ${left_out.length - 20} more (--json names them)`] : []),
      '',
    ].join('\n'),
});
