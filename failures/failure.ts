import { z } from 'zod';
import { ERROR_TYPES } from '../schema/index.js';

const text = z.string();
const count = z.number().int().min(0);

/** A place in the code that an output names. Lines count from 1; null where only the file is named. */
export const Frame = z.object({ file: text, line: count.nullable() });
export type Frame = z.infer<typeof Frame>;

/** One test that failed, with its own message and never another one's. */
export const FailingTest = z.object({
  /** As its runner names it: `file > suite > case`, `file::Class::test[param]`. */
  name: text,
  /** The file that the output names for it, as it is spelled there; null: none. */
  file: text.nullable(),
  /** Why it failed, in one line; null: the output does not say. */
  reason: text.nullable(),
  frames: z.array(Frame),
});
export type FailingTest = z.infer<typeof FailingTest>;

/** The output of a failing command or tool, parsed once, when it is recorded. All texts are at most 500 characters. */
export const Failure = z.object({
  /** The runner or compiler that printed it: `pytest`, `tsc`; null: unknown. */
  tool: text.nullable(),
  type: z.enum(ERROR_TYPES),
  /** Failing tests in the order of the output, at most 100. */
  tests: z.array(FailingTest),
  /** Messages that belong to no test (compiler errors, exceptions, tool errors), in order, at most 50. */
  reasons: z.array(text),
  /** The line that says best what went wrong: of the first test by name, else of the first message. */
  reason: text,
  /** Places in the project's own code, innermost first, without installed packages, at most 20. */
  frames: z.array(Frame),
  /** How many tests or errors the tool counted; null: it did not say. */
  counts: z.object({ failed: count, passed: count.nullable() }).nullable(),
  /** Whether the runner stopped early, so that other tests may fail too. */
  stopped: z.boolean(),
});
export type Failure = z.infer<typeof Failure>;
