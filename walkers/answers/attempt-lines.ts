import { firstLine } from '../shown-text.js';
import type { Attempt, AttemptEvent } from '../trace/attempts/attempt.js';
import { changedLines } from '../trace/attempts/changed-lines.js';
import { failureText } from '../trace/attempts/failure-text.js';
import { mendOf } from '../trace/attempts/mend.js';
import type { PlaceOf } from '../trace/touched-files.js';
import { quoted, quotedLines } from './shown-record.js';

/** Characters of a prompt, of what failed, of the new lines of one change, and of what they stand instead of. */
const PROMPT = 200;
const FAILED = 160;
const CHANGE = 360;
const INSTEAD = 120;
/**
 * Lines of a failing output that say most, the best kind first: what a runner marks as the error, an error by its name,
 * what failed by its name, and whatever sounds like it.
 */
const TELLING: readonly RegExp[] = [
  /^E\s+\S*(?:Error|Exception|assert|Failed)/u,
  /^\s*(?:\[?[\w.]*(?:Error|Exception|Warning)\b[^(]*:|fatal:|error(?:\[\w+\]| TS\d+)?:|npm ERR!|panic:)\s*[^\s|].*\p{L}{2}/u,
  /: (?:command not found|No such file|Permission denied)|error TS\d+/u,
  /^(?:FAILED|FAIL|ERROR)\b|^\s*(?:not ok \d|[×✗✘✕✖●]\s)|--- FAIL/u,
  /error|exception|assert|expected|cannot|not found|no such|panic|denied/iu,
];

/** How much is said of an attempt. */
export interface AttemptShape {
  /** The failing invocation or error that it is named for; null: its first. */
  readonly source: string | null;
  /** Files that are named of those that it touched. */
  readonly files: number;
  /** Changes that are named of those that mended it, and lines of each. */
  readonly changes: number;
  readonly lines: number;
}

/** What was asked, how it ended, what failed and what mended it: each line begins with a label of ours. */
export function attemptEntry(attempt: Attempt, shape: AttemptShape, placeOf: PlaceOf): string {
  const { task } = attempt;
  const asked = firstLine(task.user_prompt, PROMPT) || 'not recorded';
  const touched = task.files_touched.slice(0, shape.files);
  const more = task.files_touched.length - touched.length;
  const failed = failureLine(attempt, shape.source);
  return [
    `- task of ${task.created_at.slice(0, 10)}, ${ending(task.status)}: ${quoted(asked, PROMPT)}`,
    ...(failed === '' ? [] : [`  failed with: ${failed}`]),
    ...mendLines(attempt, shape, placeOf),
    ...(touched.length > 0
      ? [`  files: ${touched.map((path) => quoted(path)).join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
      : []),
  ].join('\n');
}

/** The line of a failure that says most; empty where nothing failed. */
export function failureLine({ events }: Attempt, source: string | null): string {
  const at = events.findIndex((event) => (source === null ? isFailure(event) : idOf(event) === source));
  const failed = events[at];
  if (!failed) return '';
  // What was recorded as the error of a tool says it shorter than the tool did.
  const next = events[at + 1];
  const error = failed.kind === 'error' ? failed.error : next?.kind === 'error' ? next.error : null;
  if (error && firstLine(error.message) !== '') return quoted(firstLine(error.message, FAILED), FAILED);
  const printed = failed.kind === 'tool' ? [failed.tool.stderr, failed.tool.stdout].join('\n') : '';
  const lines = printed.split('\n');
  const best = TELLING.map((kind) => lines.find((line) => kind.test(line))).find(
    (line) => line !== undefined,
  );
  return quoted(best ?? firstLine(failureText(printed).telling || printed, FAILED), FAILED);
}

/** What mended a failure: the file and its new lines, or the command. */
export function mendLines(
  attempt: Attempt,
  { source, changes, lines }: Omit<AttemptShape, 'files'>,
  placeOf: PlaceOf,
): string[] {
  const mend = mendOf(attempt, source);
  if (!mend) return [];
  const how = mend.passed ? 'mended by' : 'followed, not seen to pass, by';
  return mend.changes.slice(0, changes).map(({ use }) => {
    if (use.command !== null) return `  ${how} running: ${quoted(use.command, CHANGE)}`;
    const file = use.file === null ? 'a file' : quoted(placeOf(use.file) ?? use.file);
    const { removed, now } = changedLines(use);
    const was = removed.length > 0 && now.join() !== removed.join() ? quotedLines(removed, INSTEAD) : '';
    return `  ${how} an edit of ${file}: ${quotedLines(now.slice(0, lines), CHANGE)}${was && `; instead of: ${was}`}`;
  });
}

function ending(status: Attempt['task']['status']): string {
  return status === 'success'
    ? 'succeeded'
    : status === 'running' || status === 'planned'
      ? 'not ended'
      : status;
}

function isFailure(event: AttemptEvent): boolean {
  return event.kind === 'error' || event.tool.success === false;
}

function idOf(event: AttemptEvent): string {
  return event.kind === 'tool' ? event.tool.id : event.error.id;
}
