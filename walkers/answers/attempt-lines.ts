import type { Attempt, ToolUse } from '../../graphs/trace/index.js';
import { isTestPath } from '../../source/index.js';
import { firstLine } from '../shown-text.js';
import { changedLines } from '../trace/attempts/changed-lines.js';
import { mendOf } from '../trace/attempts/mend.js';
import type { PlaceOf } from '../trace/touched-files.js';
import { failureLine } from './failure-line.js';
import { quoted, quotedLines } from './shown-record.js';

/** Characters of a prompt, and of one in a line that points to what was told. */
const PROMPT = 200;
const POINTER = 80;
/** Characters of the new lines of one change, and of what they stand instead of. */
const SIZES = {
  full: { change: 360, instead: 120 },
  brief: { change: 100, instead: 0 },
  whole: { change: 4000, instead: 0 },
};

/** How much is said of an attempt. */
export interface AttemptShape {
  /** The failing invocation or error that it is told by. */
  readonly source: string | null;
  /** Changes that are named of those that mended it, and lines of each. */
  readonly changes: number;
  readonly lines: number;
  /** Brief and whole: nothing of what it stands instead of. Default: full. */
  readonly size?: keyof typeof SIZES;
  /** Files whose changes are named first. */
  readonly wanted: readonly string[];
}

/**
 * What was asked, how it ended, what failed and what mended it: each line begins with a label of ours.
 *
 * @param others How many other tasks met the same failure and mended it in the same way.
 */
export function attemptEntry(
  attempt: Attempt,
  others: number,
  shape: AttemptShape,
  placeOf: PlaceOf,
): string {
  const { task } = attempt;
  const failed = failureLine(attempt, shape.source);
  return [
    `- task of ${task.created_at.slice(0, 10)}, ${ending(task.status)}${times(others)}: ${asked(attempt, PROMPT)}`,
    ...(failed === '' ? [] : [`  failed with: ${failed}`]),
    ...mendLines(attempt, shape, placeOf),
  ].join('\n');
}

/** Points to what was told of an attempt in full: which it was, and where it was mended. */
export function pointerEntry(attempt: Attempt, source: string | null, placeOf: PlaceOf): string {
  const shape = { source, changes: 1, lines: 1, size: 'brief', wanted: [] } as const;
  const head = `- as told above: task of ${attempt.task.created_at.slice(0, 10)}: ${asked(attempt, POINTER)}`;
  return [head, ...mendLines(attempt, shape, placeOf)].join('\n');
}

/** What an attempt was asked, as {@link quoted}. */
export function asked({ task }: Attempt, most: number): string {
  return quoted(firstLine(task.user_prompt, most) || 'not recorded', most);
}

/** That others met the same. */
export function times(others: number): string {
  return others > 0 ? ` (and ${others} other ${others === 1 ? 'time' : 'times'})` : '';
}

/** What mended a failure: the file and its new lines, or the command. */
export function mendLines(attempt: Attempt, shape: AttemptShape, placeOf: PlaceOf): string[] {
  const mend = shape.source === null ? null : mendOf(attempt, shape.source);
  if (!mend) return [];
  const how = mend.passed ? 'mended by' : 'followed, not seen to pass, by';
  const uses = mend.changes.map(({ use }) => use).toSorted(byWorth(shape.wanted, placeOf));
  return uses.slice(0, shape.changes).map((use) => `  ${how} ${changeText(use, shape, placeOf)}`);
}

function changeText(use: ToolUse, { lines, size = 'full' }: AttemptShape, placeOf: PlaceOf): string {
  const { change, instead } = SIZES[size];
  if (use.command !== null) return `running: ${quoted(use.command, change)}`;
  const file = use.file === null ? 'a file' : quoted(placeOf(use.file) ?? use.file);
  const { removed, now } = changedLines(use);
  const differs = removed.length > 0 && now.join() !== removed.join();
  const was = instead > 0 && differs ? quotedLines(removed, instead) : '';
  return `an edit of ${file}: ${quotedLines(now.slice(0, lines), change)}${was && ` (instead of: ${was})`}`;
}

/** Changes of the files that are wanted first, those of tests last: a test is often written beside the mend. */
function byWorth(wanted: readonly string[], placeOf: PlaceOf): (a: ToolUse, b: ToolUse) => number {
  const worth = ({ file }: ToolUse): number => {
    const place = file === null ? null : placeOf(file);
    if (place === null) return 1;
    if (wanted.includes(place)) return 0;
    return isTestPath(place) ? 2 : 1;
  };
  return (a, b) => worth(a) - worth(b);
}

function ending(status: Attempt['task']['status']): string {
  if (status === 'success') return 'succeeded';
  return status === 'running' || status === 'planned' ? 'not ended' : status;
}
