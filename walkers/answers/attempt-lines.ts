import { firstLine } from '../shown-text.js';
import type { Attempt, AttemptEvent } from '../trace/attempts/attempt.js';
import { changedLines } from '../trace/attempts/changed-lines.js';
import { failureText } from '../trace/attempts/failure-text.js';
import { mendOf } from '../trace/attempts/mend.js';
import type { PlaceOf } from '../trace/touched-files.js';
import { quoted, quotedLines } from './shown-record.js';

/** Characters of a prompt, and of what failed. */
const PROMPT = 200;
const FAILED = 160;
/** Changes of one mend, and lines of one change. */
const MOST_CHANGES = 2;
const MOST_LINES = 4;
/** Lines that name the error itself, before those that only count failures. */
const NAMES_ERROR = /error|exception|assert|expected|cannot|not found|no such|panic|denied/iu;

/** How much is said of an attempt. */
export interface AttemptShape {
  /** The failing invocation or error that it is named for; null: its first. */
  readonly source: string | null;
  /** Files that are named of those that it touched. */
  readonly files: number;
}

/** What was asked, how it ended, what failed and what mended it: each line begins with a label of ours. */
export function attemptLines(attempt: Attempt, { source, files }: AttemptShape, placeOf: PlaceOf): string[] {
  const { task } = attempt;
  const asked = firstLine(task.user_prompt, PROMPT) || 'not recorded';
  const day = task.created_at.slice(0, 10);
  const touched = task.files_touched.slice(0, files);
  const more = task.files_touched.length - touched.length;
  const failed = failureLine(attempt, source);
  return [
    `- task of ${day}, ${ending(task.status)}: ${quoted(asked, PROMPT)}`,
    ...(failed === '' ? [] : [`  failed with: ${failed}`]),
    ...mendLines(attempt, source, placeOf),
    ...(touched.length > 0
      ? [`  files: ${touched.map((path) => quoted(path)).join(', ')}${more > 0 ? ` and ${more} more` : ''}`]
      : []),
  ];
}

/** The line of a failure that says most; empty where nothing failed. */
export function failureLine({ events }: Attempt, source: string | null): string {
  const at = events.find((event) => (source === null ? isFailure(event) : idOf(event) === source));
  if (!at) return '';
  const printed = at.kind === 'error' ? at.error.message : [at.tool.stderr, at.tool.stdout].join('\n');
  const telling = failureText(printed)
    .telling.split('\n')
    .filter((line) => line.trim() !== '');
  return quoted(
    telling.find((line) => NAMES_ERROR.test(line)) ?? telling[0] ?? firstLine(printed, FAILED),
    FAILED,
  );
}

/** What mended a failure: the file and its new lines, or the command. */
export function mendLines(attempt: Attempt, source: string | null, placeOf: PlaceOf): string[] {
  const mend = mendOf(attempt, source);
  if (!mend) return [];
  const how = mend.passed ? 'mended by' : 'followed, not seen to pass, by';
  return mend.changes.slice(0, MOST_CHANGES).map(({ use }) => {
    if (use.command !== null) return `  ${how} running: ${quoted(use.command)}`;
    const file = use.file === null ? 'a file' : quoted(placeOf(use.file) ?? use.file);
    const { removed, now } = changedLines(use);
    const was = removed.length > 0 && now.join() !== removed.join() ? quotedLines(removed.slice(0, 1)) : '';
    return `  ${how} an edit of ${file}: ${quotedLines(now.slice(0, MOST_LINES))}${was && `; instead of: ${was}`}`;
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
