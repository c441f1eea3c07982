import { z } from 'zod';
import { ERROR_TYPES, STEP_ROLES, TASK_STATUSES } from '../../schema/index.js';

/*
 * What an event says, normalised: texts masked and cut, words of the enums known or kept raw, paths relative to
 * the root. This is what is kept of it.
 */

const text = z.string();
const optionalText = text.nullable();
const count = z.number().int().min(0);
const truncated_bytes = count;
/** Root-relative, `/`, each once. */
const files = z.array(text);
/** What a use of a tool is for. Facts of earlier versions say nothing of it. */
const purpose = { role: z.enum(STEP_ROLES).nullable().default(null), role_raw: optionalText.default(null) };

/** The status of a task that is over, where nobody says how: what its trace shows decides. */
export const ENDED = 'ended';

/** The fact of each kind of event. */
export const Fact = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('task_start'),
    user_prompt: text,
    tags: z.array(text),
    session_id: optionalText,
    client: optionalText,
    truncated_bytes,
  }),
  z.object({
    kind: z.literal('step'),
    order: count,
    role: z.enum(STEP_ROLES).nullable(),
    role_raw: optionalText,
    llm_summary: text,
    truncated_bytes,
  }),
  z.object({
    kind: z.literal('tool_start'),
    tool_name: text,
    params_json: z.record(text, z.unknown()).nullable(),
    files,
    ...purpose,
    truncated_bytes,
  }),
  z.object({
    kind: z.literal('tool_end'),
    tool_name: text,
    success: z.boolean(),
    duration_ms: z.number().min(0).nullable(),
    stdout: text,
    stderr: text,
    files,
    /** Ids of the symbols whose lines an edit changed. */
    symbols: z.array(text).default([]),
    ...purpose,
    truncated_bytes,
  }),
  z.object({ kind: z.literal('checkpoint'), checkpoint_file: text, created_at: optionalText }),
  z.object({
    kind: z.literal('error'),
    error_type: z.enum(ERROR_TYPES),
    error_type_raw: optionalText,
    message: text,
    raw_log_excerpt: text,
    tests: z.array(text).default([]),
    fingerprint: optionalText,
    truncated_bytes,
  }),
  z.object({
    kind: z.literal('task_end'),
    status: z.enum([...TASK_STATUSES, ENDED]),
    status_raw: optionalText,
    summary: text.default(''),
    if_open: z.boolean().default(false),
    truncated_bytes: truncated_bytes.default(0),
  }),
]);

/** What an event says, normalised. */
export type Fact = z.infer<typeof Fact>;
/** The fact of one kind of event. */
export type FactOf<K extends Fact['kind']> = Extract<Fact, { kind: K }>;
