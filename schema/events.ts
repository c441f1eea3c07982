import { z } from 'zod';
import { anyObject } from './any-object.js';

/*
 * What `etg_log_event` is told (S3.D). Roles, statuses and error types are plain strings here: an unknown one
 * is kept raw, never refused. Unknown fields are kept (S3-40).
 */

const text = z.string();
const files = z.array(text).optional();
/** What a use of a tool is for: where an event names no step, another role begins the next one. */
const role = text.optional();

/** The payload of each kind of event; its keys are the seven kinds (S3-08). */
export const EVENT_PAYLOADS = {
  task_start: z.looseObject({ user_prompt: text, tags: z.array(text).optional() }),
  step: z.looseObject({
    order: z.number().int(),
    role: text.optional(),
    llm_summary: text.optional(),
  }),
  tool_start: z.looseObject({
    tool_name: text,
    // JSON text too: shells and hooks have nothing else.
    params_json: z.union([anyObject, text], 'expected an object or a text of JSON').optional(),
    files_touched: files,
    role,
  }),
  tool_end: z.looseObject({
    tool_name: text,
    success: z.boolean(),
    duration_ms: z.number().optional(),
    stdout: text.optional(),
    stderr: text.optional(),
    files_touched: files,
    role,
    // Of an edit of one file: its lines that are new, from and to, from 1, and what it holds now. Symbols are made of
    // them; neither is kept.
    lines: z
      .array(z.tuple([z.number(), z.number()]))
      .optional()
      .catch(undefined),
    content: text.optional().catch(undefined),
  }),
  checkpoint: z.looseObject({ checkpoint_file: text, created_at: text.optional() }),
  error: z.looseObject({
    error_type: text,
    message: text,
    raw_log_excerpt: text.optional(),
    // Names of the tests that failed.
    tests: z.array(text).optional(),
  }),
  // `ended`: over, and nobody says how: the trace does.
  task_end: z.looseObject({
    status: text,
    summary: text.optional(),
    // Only what has not ended ends by it.
    if_open: z.boolean().optional(),
  }),
} as const;

/** The kind of an event. */
export type EventKind = keyof typeof EVENT_PAYLOADS;

/** The seven kinds in the order of a task's life. */
export const EVENT_KINDS = [
  'task_start',
  'step',
  'tool_start',
  'tool_end',
  'checkpoint',
  'error',
  'task_end',
] as const satisfies readonly EventKind[];

/** Fields that hooks fill in: an agent that logs its own work need not know of them. */
export const HOOK_FIELDS: ReadonlySet<string> = new Set([
  'tool_start.role',
  'tool_end.role',
  'tool_end.lines',
  'tool_end.content',
  'error.tests',
  'task_end.if_open',
]);
