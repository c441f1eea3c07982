import { z } from 'zod';
import type { ReadContext } from '../../runtime/index.js';
import type { PlaceOf } from '../trace/touched-files.js';

/** When a hook may answer. */
export const MOMENTS = [
  'session_start',
  'prompt',
  'read',
  'before_edit',
  'before_command',
  'edited',
  'failure',
] as const;

const text = z.string();

/** What a hook asks with: what its client told. */
export const QUESTION = {
  session_id: text.min(1).describe('As recorded'),
  moment: z.enum(MOMENTS),
  task_id: text.nullish().describe('The task at work: it is no earlier attempt'),
  tool_id: text.nullish().describe("The client's own id of the call"),
  prompt: text.nullish(),
  file_paths: z.array(text).nullish().describe('Files that it is about'),
  command: text.nullish(),
  output: text.nullish().describe('What the failing tool printed'),
  edit: z.object({ file: text, old: text, now: text }).nullish(),
  indexing: z.boolean().nullish().describe('Whether the project is being indexed without having been asked'),
};

/** A question with what answering it takes. */
export interface Asked {
  readonly question: z.infer<z.ZodObject<typeof QUESTION>>;
  readonly context: ReadContext;
  readonly placeOf: PlaceOf;
  /** Root-relative paths of the files that it is about, each once. */
  readonly files: readonly string[];
  /** Tasks at work in this session: no earlier attempts. */
  readonly own: ReadonlySet<string>;
  /** Whether the session was told this before. */
  told(key: string): boolean;
}
