import { z } from 'zod';
import { ERROR_TYPES, FILE_USES, STEP_ROLES, TASK_STATUSES, TEST_WAYS } from '../../../schema/index.js';

const text = z.string();
const texts = z.array(text);
const count = z.number().int();

/** A symbol's place. */
const place = {
  id: text,
  name: text,
  kind: text,
  path: text,
  line: count,
};

/** A symbol that was worked on: by name, or as part of a file that was. */
export const TouchedRow = z.object({
  ...place,
  /** Whether the trace names the symbol itself, not merely its file. */
  named: z.boolean(),
  callers: count,
  tests: count,
});
export type TouchedRow = z.infer<typeof TouchedRow>;

/** Who would notice: a caller or a test of what was worked on. */
export const CallerRow = z.object({
  ...place,
  /** Ids of what it calls on the way: what was worked on, or a caller of that. */
  calls: texts,
  /** Calls from here to what was worked on. */
  distance: count,
});
export type CallerRow = z.infer<typeof CallerRow>;

/** A test of what was worked on, or of a caller of that. */
export const TestRow = z.object({
  ...place,
  /** Ids of what it exercises of these. */
  tests: texts,
  via: z.enum(TEST_WAYS),
  /** Whether one of the errors says that it failed. */
  failed: z.boolean(),
  /** Calls and helpers from here to what was worked on. */
  distance: count,
});
export type TestRow = z.infer<typeof TestRow>;

/** What `trace_impact` answers. */
export const ImpactOutput = z.object({
  tasks: z.array(z.object({ task_id: text, status: z.enum(TASK_STATUSES), created_at: text, prompt: text })),
  errors: z.array(
    z.object({
      error_id: text,
      error_type: z.enum(ERROR_TYPES),
      fingerprint: text.nullable(),
      message: text,
      created_at: text.nullable(),
    }),
  ),
  /** By time. */
  steps: z.array(
    z.object({
      step_id: text,
      task_id: text,
      order: count,
      role: z.enum(STEP_ROLES).nullable(),
      summary: text,
      /** Ids of the errors that it met, and of those that it mended. */
      met: texts,
      mended: texts,
    }),
  ),
  /** Those that were changed first. */
  files: z.array(
    z.object({
      path: text,
      /** `named`: only what an error said names it. Null: no tool told. */
      use: z.enum([...FILE_USES, 'named']).nullable(),
      /** The steps that used it so. */
      step_ids: texts,
      /** False: the code graph has no such file now. */
      there: z.boolean(),
    }),
  ),
  /** Those that most depends on first. */
  symbols: z.array(TouchedRow),
  callers: z.array(CallerRow),
  tests: z.array(TestRow),
  /** What is remembered of any of these, each with its id first. */
  memories: texts,
  summary: text,
});
export type ImpactOutput = z.infer<typeof ImpactOutput>;
