import { z } from 'zod';
import { toolUse } from '../../graphs/trace/index.js';
import { traceId } from './event-ids.js';
import type { FactOf } from './fact.js';
import { TestRun, testRunOf } from './test-run.js';

/** What a use of a tool does that can fail and be done again: it runs a command, or edits files. */
export const Deed = z.object({
  /** What tells it from others: the command, whatever its white space; or the files. */
  keys: z.array(z.string()),
  run: TestRun.nullable(),
  changes: z.boolean(),
  looks: z.boolean(),
  /** Whether the task fails by it: nobody fails who looked for something that is not there. */
  counts: z.boolean(),
});
export type Deed = z.infer<typeof Deed>;

/** Roles of what changes the project, and of what changes nothing. */
const CHANGING: ReadonlySet<string | null> = new Set(['editing', 'refactoring', 'docs']);
const LOOKING: ReadonlySet<string | null> = new Set(['reading', 'planning']);
const TESTING = 'testing';
/** Files of one edit that are told apart. */
const MOST_FILES = 8;

/** What a use of a tool does; null where it is neither a command nor an edit. */
export function deedOf(
  params: FactOf<'tool_start'>['params_json'],
  files: readonly string[],
  role: string | null,
): Deed | null {
  const { command, file, added } = toolUse(params);
  const [changes, looks] = [CHANGING.has(role), LOOKING.has(role)];
  if (command !== null) {
    const run = testRunOf(command);
    const keys = [traceId('cursor', 'command', command.replace(/\s+/gu, ' ').trim())];
    return { keys, run, changes, looks: looks || role === TESTING || run !== null, counts: !looks };
  }
  // A client that tells no roles tells of an edit by its files alone: it may have mended what passes later.
  if (role === null && added === null && files.length > 0)
    return { keys: [], run: null, changes: false, looks: false, counts: false };
  if (looks || (added === null && !changes)) return null;
  const paths = files.length > 0 ? files.slice(0, MOST_FILES) : file === null ? [] : [file];
  if (paths.length === 0) return null;
  return { keys: paths.map((path) => `=${path}`), run: null, changes: true, looks: false, counts: true };
}
