import { z } from 'zod';
import { CodewalkError, issuesText } from '../../schema/index.js';
import { checkNesting } from '../check-nesting.js';
import type { SpawnRequest } from '../host.js';
import type { HookAsk } from './hook-desk.js';

export { PROTOCOL } from './lines.js';

/** A number of a limit; null: unbounded. */
const bound = z.number().positive().nullable().exactOptional();

const Spawn = z.object({
  walker: z.string().min(1),
  root: z.string().min(1),
  input: z.record(z.string(), z.unknown()),
  given: z.unknown().exactOptional(),
  faceFields: z.array(z.string()).exactOptional(),
  forms: z.array(z.enum(['json', 'markdown'])).exactOptional(),
  force: z.boolean().exactOptional(),
  limits: z.object({ deadlineMs: bound, maxVisits: bound, maxBytes: bound }).exactOptional(),
  caller: z.object({ directory: z.string().nullable(), session: z.string().nullable() }).exactOptional(),
  requestId: z.string().min(1).max(100).exactOptional(),
  userWalkers: z.array(z.string()).exactOptional(),
  detached: z.boolean().exactOptional(),
  spool: z.boolean().exactOptional(),
});

const Hook = z.object({
  client: z.string().min(1),
  payload: z.string(),
  place: z.enum(['root', 'cwd']),
  path: z.string().min(1),
});

const id = z.number().int().nonnegative();

/** One line of a client. */
export const ClientLine = z.union([
  z.object({ id, spawn: Spawn }),
  z.object({ id, describe: z.array(z.string()), deadlineMs: z.number().positive().nullable().default(null) }),
  /** What a client's hook is to print. */
  z.object({ id, hook: Hook }),
  z.object({ id, release: z.string().min(1) }),
  z.object({ id, backup: z.string().min(1) }),
  z.object({ id, status: z.literal(true) }),
  /** Ends at once: what runs is cancelled. */
  z.object({ id, stop: z.literal(true) }),
  /** Makes way for a newer one: what runs comes to its end first. */
  z.object({ id, retire: z.literal(true) }),
  /** What is in the journal is taken in before the answer. */
  z.object({ id, drain: z.literal(true) }),
  z.object({ id, cancel: z.literal(true) }),
]);
export type ClientLine = z.infer<typeof ClientLine>;

/** What a line asks for, without its id. */
export type Ask =
  | { readonly spawn: SpawnRequest }
  | { readonly describe: readonly string[]; readonly deadlineMs: number | null }
  | { readonly hook: HookAsk }
  | { readonly release: string }
  | { readonly backup: string }
  | { readonly status: true }
  | { readonly stop: true }
  | { readonly retire: true }
  | { readonly drain: true };

/**
 * Reads a client's line.
 *
 * @throws CodewalkError `INVALID_INPUT` when it is no request.
 */
export function clientLine(text: string): ClientLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new CodewalkError('INVALID_INPUT', 'a line to the daemon is not JSON', {
      input: text.slice(0, 200),
      cause,
    });
  }
  checkNesting(value, 'a line to the daemon');
  const parsed = ClientLine.safeParse(value);
  if (!parsed.success)
    throw new CodewalkError('INVALID_INPUT', `a line to the daemon: ${issuesText(parsed.error)}`, {
      input: value,
    });
  return parsed.data;
}
