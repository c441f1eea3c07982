import { isTestPath } from '../../source/index.js';
import { firstLine } from '../shown-text.js';
import type { Attempt } from '../trace/attempts/attempt.js';
import { changedLines } from '../trace/attempts/changed-lines.js';
import { mendOf } from '../trace/attempts/mend.js';
import type { ToolUse } from '../trace/attempts/tool-use.js';
import type { PlaceOf } from '../trace/touched-files.js';
import { failureLine } from './failure-line.js';
import { quoted, quotedLines } from './shown-record.js';

/** Characters of a prompt, of the new lines of one change, and of what they stand instead of. */
const PROMPT = 200;
const CHANGE = 360;
const INSTEAD = 120;

/** How much is said of an attempt. */
export interface AttemptShape {
  /** The failing invocation or error that it is told by. */
  readonly source: string | null;
  /** Changes that are named of those that mended it, and lines of each. */
  readonly changes: number;
  readonly lines: number;
  /** Files whose changes are named first. */
  readonly wanted: readonly string[];
}

/** What was asked, how it ended, what failed and what mended it: each line begins with a label of ours. */
export function attemptEntry(attempt: Attempt, shape: AttemptShape, placeOf: PlaceOf): string {
  const { task } = attempt;
  const asked = firstLine(task.user_prompt, PROMPT) || 'not recorded';
  const failed = failureLine(attempt, shape.source);
  return [
    `- task of ${task.created_at.slice(0, 10)}, ${ending(task.status)}: ${quoted(asked, PROMPT)}`,
    ...(failed === '' ? [] : [`  failed with: ${failed}`]),
    ...mendLines(attempt, shape, placeOf),
  ].join('\n');
}

/** What mended a failure: the file and its new lines, or the command. */
export function mendLines(attempt: Attempt, shape: AttemptShape, placeOf: PlaceOf): string[] {
  const mend = shape.source === null ? null : mendOf(attempt, shape.source);
  if (!mend) return [];
  const how = mend.passed ? 'mended by' : 'followed, not seen to pass, by';
  const uses = mend.changes.map(({ use }) => use).toSorted(byWorth(shape.wanted, placeOf));
  return uses.slice(0, shape.changes).map((use) => `  ${how} ${changeText(use, shape.lines, placeOf)}`);
}

function changeText(use: ToolUse, lines: number, placeOf: PlaceOf): string {
  if (use.command !== null) return `running: ${quoted(use.command, CHANGE)}`;
  const file = use.file === null ? 'a file' : quoted(placeOf(use.file) ?? use.file);
  const { removed, now } = changedLines(use);
  const was = removed.length > 0 && now.join() !== removed.join() ? quotedLines(removed, INSTEAD) : '';
  return `an edit of ${file}: ${quotedLines(now.slice(0, lines), CHANGE)}${was && `; instead of: ${was}`}`;
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
