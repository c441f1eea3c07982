import { z } from 'zod';
import type { Attempt } from '../../graphs/trace/index.js';
import type { ReadContext } from '../../runtime/index.js';
import { ErrorResolvedByStep } from '../../schema/index.js';
import { plural } from '../markdown.js';
import { quotedName } from '../shown-text.js';
import { ChangeRow, changeRow } from './attempts/attempt-rows.js';
import { mendOf } from './attempts/mend.js';

const MOST_CHANGES = 3;
/** Characters of a quoted line. */
const QUOTED = 60;

/** What mended an error. */
export const MendRow = z.object({
  step_id: z.string(),
  /** The last one first. */
  changes: z.array(ChangeRow),
  /** Whether the same command, or the same edit, succeeded afterwards; else the changes are only what followed. */
  passed: z.boolean(),
});
export type MendRow = z.infer<typeof MendRow>;

/** The steps that mended errors, as the trace concluded, by error. */
export async function mendingSteps(
  { q }: Pick<ReadContext, 'q'>,
  errors: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const edges = await q(errors).out(ErrorResolvedByStep).edges();
  return new Map(edges.map(({ from, to }) => [from, to]));
}

/**
 * What mended an error of an attempt; null where nothing followed it.
 *
 * @param root As for rows of attempts.
 * @param steps See {@link mendingSteps}; where it names none, what followed is told.
 */
export function mendRow(
  attempt: Attempt,
  error: string,
  root: string | null,
  steps: ReadonlyMap<string, string>,
): MendRow | null {
  const mend = mendOf(attempt, error);
  const step = steps.get(error);
  const [last] = mend?.changes ?? [];
  if (!mend || !last) return step === undefined ? null : { step_id: step, changes: [], passed: true };
  // What was changed after the step that mended it has no part in it.
  const at = step === undefined ? 0 : mend.changes.findIndex((change) => change.step === step);
  const changes = at >= 0 ? mend.changes.slice(at) : mend.passed ? mend.changes : [];
  return {
    step_id: step ?? last.step,
    changes: changes.slice(0, MOST_CHANGES).map((change) => changeRow(change, root)),
    passed: step !== undefined || mend.passed !== null,
  };
}

/** A mend with few changes and few lines of each. */
export function shortMend(mend: MendRow, items: number): MendRow {
  const changes = mend.changes.slice(0, items).map(({ removed, now, ...change }) => ({
    ...change,
    ...(removed ? { removed: removed.slice(0, items) } : {}),
    ...(now ? { now: now.slice(0, items) } : {}),
  }));
  return { ...mend, changes };
}

/** A mend in lines of 80 columns: what was done, then one line of what it changed. */
export function mendLines({ changes, passed }: Pick<MendRow, 'changes' | 'passed'>, where = ''): string[] {
  const [first, ...rest] = changes;
  if (!first) return [];
  const how = passed ? `mended${where} by` : `followed${where} (not seen to pass) by`;
  const more = rest.length > 0 ? ` and ${plural(rest.length, 'change')} before` : '';
  const what =
    first.kind === 'command'
      ? `running ${quotedName(first.command ?? '', QUOTED)}`
      : `an edit of ${first.file === null ? 'a file' : quotedName(first.file, QUOTED)}`;
  const [now, was] = [first.now?.[0], first.removed?.[0]];
  return [
    `${how} ${what}${more}`,
    ...(now === undefined ? [] : [`  now ${quotedName(now, QUOTED)}`]),
    ...(was === undefined ? [] : [`  was ${quotedName(was, QUOTED)}`]),
  ];
}
