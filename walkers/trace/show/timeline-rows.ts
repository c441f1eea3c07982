import { z } from 'zod';
import { ERROR_TYPES, STEP_ROLES } from '../../../schema/index.js';
import { MendRow } from '../mend-row.js';

const text = z.string();
const texts = z.array(text);
const count = z.number().int();
/** ISO 8601. */
const time = text.nullable();

/** One use of a tool. */
export const ToolRow = z.object({
  kind: z.literal('tool'),
  tool_id: text,
  at: time,
  tool_name: text,
  /** The shell command that it ran, and the file that it is about, as its parameters say. */
  command: text.nullable(),
  file: text.nullable(),
  /** Of an edit: how many lines differ on either side. */
  added: count.nullable(),
  removed: count.nullable(),
  duration_ms: z.number().nullable(),
  /** Null: it has not ended. */
  success: z.boolean().nullable(),
  /** Root-relative paths that it touched. */
  files: texts,
  /** Ids of the symbols that it changed. */
  symbols: texts,
  /** Of one that failed: the line that says why. */
  said: text,
});
export type ToolRow = z.infer<typeof ToolRow>;

/** One error. */
export const ErrorRow = z.object({
  kind: z.literal('error'),
  error_id: text,
  /** The use of a tool that met it. */
  tool_id: text.nullable(),
  at: time,
  error_type: z.enum(ERROR_TYPES),
  message: text,
  /** Names of the tests that failed. */
  tests: texts,
  resolved_by: MendRow.nullable(),
});
export type ErrorRow = z.infer<typeof ErrorRow>;

/** One checkpoint. */
export const CheckpointRow = z.object({
  kind: z.literal('checkpoint'),
  checkpoint_id: text,
  at: time,
  checkpoint_file: text,
});

/** One thing that happened in a step. */
export const EventRow = z.discriminatedUnion('kind', [ToolRow, ErrorRow, CheckpointRow]);
export type EventRow = z.infer<typeof EventRow>;

/** One step of a task, with what happened in it. */
export const StepRow = z.object({
  step_id: text,
  order: count,
  role: z.enum(STEP_ROLES).nullable(),
  /** The sub agent whose work it is; null: the agent's own. */
  agent: text.nullable(),
  summary: text,
  started_at: time,
  ended_at: time,
  /** By time. */
  events: z.array(EventRow),
  /** Events that the budget left out. */
  left_out: count,
});
export type StepRow = z.infer<typeof StepRow>;
