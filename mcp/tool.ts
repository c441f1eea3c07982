import { z } from 'zod';
import { answerSchema, ROOT_FIELD } from '../host/index.js';
import type { WalkerType } from '../runtime/index.js';
import { inputSchema, type ObjectSchema, outputSchema } from './compact-schema.js';

/** How a server answers (ruling X-29). */
export type ToolFormat = 'json' | 'markdown';

/** One entry of `tools/list`. */
export interface ListedTool {
  readonly [key: string]: unknown;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema?: ObjectSchema;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint?: false };
}

/** What every tool accepts beside its walker's input. */
export const CallFields = z.object({
  project_root: z.string().optional().describe('Absolute path; default: the current project'),
  response_format: z.enum(['json', 'markdown']).optional(),
});

/** A walker as a tool. In Markdown mode no output schema is listed. */
export function toolOf(walker: WalkerType, format: ToolFormat): ListedTool {
  const { project_root, response_format } = CallFields.shape;
  const input = z.object({ [ROOT_FIELD]: project_root, ...walker.input.shape, response_format });
  return {
    name: walker.name,
    description: walker.description,
    inputSchema: inputSchema(input),
    ...(format === 'json' ? { outputSchema: outputSchema(answerSchema(walker)) } : {}),
    // Nothing that a walker writes takes anything of the user's away.
    annotations:
      walker.access === 'read' ? { readOnlyHint: true } : { readOnlyHint: false, destructiveHint: false },
  };
}
