import { z } from 'zod';
import { anyObject, ERROR_TYPES, STEP_ROLES, TASK_STATUSES } from '../../schema/index.js';

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

/** Who told: a task whose beginning was never told has its session and client from its events. */
const teller = { session_id: optionalText.optional(), client: optionalText.optional() };

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
    ...teller,
    order: count,
    role: z.enum(STEP_ROLES).nullable(),
    role_raw: optionalText,
    llm_summary: text,
    truncated_bytes,
  }),
  z.object({
    kind: z.literal('tool_start'),
    ...teller,
    tool_name: text,
    params_json: anyObject.nullable(),
    files,
    ...purpose,
    truncated_bytes,
  }),
  z.object({
    kind: z.literal('tool_end'),
    ...teller,
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
  z.object({ kind: z.literal('checkpoint'), ...teller, checkpoint_file: text, created_at: optionalText }),
  z.object({
    kind: z.literal('error'),
    ...teller,
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
    ...teller,
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
