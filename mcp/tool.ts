// As a namespace: the bundle of the clients then holds what is used of it, without the messages of all languages.
import * as z from 'zod';
import { type JsonSchema, ROOT_FIELD, type WalkerSignature } from '../host/index.js';
import { inputSchema, type ObjectSchema, outputSchema } from './compact-schema.js';

/** How a server answers (ruling X-29). */
export type ToolFormat = 'json' | 'markdown';

/** One entry of `tools/list`. */
export interface ListedTool {
  readonly [key: string]: unknown;
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** Not listed in Markdown mode. */
  readonly outputSchema?: ObjectSchema;
  readonly annotations: { readonly readOnlyHint: boolean; readonly destructiveHint?: false };
}

/** What every tool accepts beside its walker's input. */
export const CallFields = z.object({
  [ROOT_FIELD]: z.string().optional().describe('Absolute; default: this project'),
  response_format: z.enum(['json', 'markdown']).optional(),
});

/** A walker as a tool. */
export function toolOf({ name, description, access, input, output }: WalkerSignature): ListedTool {
  const face: JsonSchema = z.toJSONSchema(CallFields, { io: 'input' });
  const { [ROOT_FIELD]: root, ...others } = face.properties ?? {};
  const properties = { [ROOT_FIELD]: root, ...input.properties, ...others };
  return {
    name,
    description,
    inputSchema: inputSchema({ ...input, properties }),
    outputSchema: outputSchema(output),
    // Nothing that a walker writes takes anything of the user's away.
    annotations: access === 'read' ? { readOnlyHint: true } : { readOnlyHint: false, destructiveHint: false },
  };
}
