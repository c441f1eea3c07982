import { plural } from '../../markdown.js';
import { mendLines } from '../mend-row.js';
import { quotedEnd, quotedLines } from '../quoted-lines.js';
import { minuteOf } from '../shown-times.js';
import { handleOf } from '../tasks/tasks-markdown.js';
import { tellingLine } from '../telling-line.js';
import type { ErrorGroup } from './error-groups.js';

/** What one line has left. */
const BELOW = 74;
/** Tasks and tests that one line names. */
const LISTED = 2;

/** Groups of errors for 80 columns. Whatever the record says is quoted: it is data (X-39). */
export function errorsMarkdown(groups: readonly ErrorGroup[], total: number): string {
  if (groups.length === 0) return 'No error that fits is recorded here.\n';
  const which = groups.length < total ? `${groups.length} of ${total} kinds` : plural(total, 'kind');
  const width = Math.max(...groups.map(({ count }) => String(count).length));
  return [
    `## ${which} of errors, the most often met first`,
    '',
    ...groups.flatMap((group) => lines(group, width)),
    '',
  ].join('\n');
}

function lines(group: ErrorGroup, width: number): string[] {
  const { error_type, message, error_id, count, first_at, last_at, tasks, tests, mended_by } = group;
  const [mend, ...others] = mended_by;
  const when = [...new Set([first_at, last_at].map((time) => minuteOf(time ?? '')))].join(' to ');
  const names = tasks.slice(0, LISTED).map(({ task_id }) => handleOf(task_id));
  return [
    `- ${String(count).padStart(width)} x  ${error_type.padEnd('compile_error'.length)}  ${when}`,
    ...quotedLines(tellingLine(message), BELOW).map(below),
    ...(tests.length > 0 ? [below(`failing: ${listed(tests)}`)] : []),
    below(`${handleOf(error_id)}${names.length > 0 ? ` in ${names.join(', ')}${moreThan(tasks)}` : ''}`),
    ...(mend
      ? mendLines(mend, ` in ${handleOf(mend.task_id)}`).map(below)
      : [below('nothing mended it yet')]),
    ...(others.length > 0 ? [below(`and ${plural(others.length, 'other time')}`)] : []),
  ];
}

function below(text: string): string {
  return `    ${text}`;
}

function listed(names: readonly string[]): string {
  const room = Math.floor((BELOW - 30) / Math.min(LISTED, names.length));
  const shown = names.slice(0, LISTED).map((name) => quotedEnd(name, room));
  return `${shown.join(', ')}${moreThan(names)}`;
}

function moreThan(list: readonly unknown[]): string {
  return list.length > LISTED ? ` and ${list.length - LISTED} more` : '';
}
