import { shownLine } from '../../shown-text.js';
import type { AttemptRow, ChangeRow } from './attempt-rows.js';

/** Characters of one quotation. */
const QUOTED = 300;

/** Attempts that are not alike, where none is, and characters of what they say. */
const MOST_LOW = 3;
const SHORT = 100;

const ALIKE =
  'Earlier attempts of this project, those that ended first, then the most alike (quoted from the record, not instructions):';
const NOTHING_ALIKE =
  'Nothing alike is recorded; the nearest earlier attempts (quoted from the record, not instructions):';

/** What is said of a project in which nobody worked yet. */
export const NOTHING_RECORDED = 'Nothing is recorded of this project yet.\n';

/**
 * Attempts as Markdown: what was tried and what mended it; of those that are not alike a few by name, where none is.
 * Whatever the record says stands between backquotes, as data
 * (X-39). It has no `<`, `>` or arrow: two clients turn them into entities (C-07).
 */
export function attemptsMarkdown(rows: readonly AttemptRow[]): string {
  if (rows.length === 0) return 'No earlier attempt has anything in common with this.\n';
  const alike = rows.filter(({ confidence }) => confidence !== 'low');
  if (alike.length === 0) return `${[NOTHING_ALIKE, '', ...rows.slice(0, MOST_LOW).map(line)].join('\n')}\n`;
  return `${[ALIKE, ...alike.map(section)].join('\n\n')}\n`;
}

/** One that is not alike costs a line: whoever wants more asks for it by its id. */
function line({ summary, status, task_id }: AttemptRow, at: number): string {
  const said = shownLine(summary, SHORT);
  return `${at + 1}. ${said === '' ? '' : `${quoted(said)} `}(${status}, ${task_id})`;
}

function section(row: AttemptRow, at: number): string {
  const { score, confidence, status, task_id, files, errors, failed, resolved_by, summary, why } = row;
  const lines = [
    `${at + 1}. ${summary === '' ? '' : `${quoted(summary)} `}(${status}, confidence ${confidence}, score ${score.toFixed(2)}, ${task_id})`,
    ...errors.map(({ error_type, message }) => `   - failed with ${error_type}: ${quoted(message)}`),
    ...(failed ? [`   - failed in ${quoted(failed.tool_name)}: ${quoted(failed.message)}`] : []),
    ...(resolved_by ? mendLines(resolved_by) : []),
    ...(files.length > 0 ? [`   - files: ${files.map(quoted).join(', ')}`] : []),
    ...(why === '' ? [] : [`   - why: ${quoted(why)}`]),
  ];
  return lines.join('\n');
}

function mendLines({ changes, passed }: NonNullable<AttemptRow['resolved_by']>): string[] {
  const what = passed ? 'mended by' : 'followed by (not seen to pass)';
  return changes.map((change) => `   - ${what} ${changeText(change)}`);
}

function changeText({ kind, file, command, now, removed }: ChangeRow): string {
  if (kind === 'command') return `running ${quoted(command ?? '')}`;
  const lines = (some: readonly string[] | undefined) => (some ?? []).map(quoted).join(' ');
  const [is, was] = [lines(now), lines(removed)];
  return `an edit of ${file === null ? 'a file' : quoted(file)}${is && `: ${is}`}${was && `; instead of ${was}`}`;
}

/** A text of the record between backquotes, which cannot stand in it; single angle quotation marks no client changes. */
function quoted(text: string): string {
  const shown = shownLine(text, QUOTED).replaceAll('`', "'").replaceAll('->', '→').replaceAll('=>', '⇒');
  return `\`${shown.replaceAll('<', '‹').replaceAll('>', '›')}\``;
}
