import { quotedLine } from '../../shown-text.js';
import type { AttemptRow, ChangeRow } from './attempt-rows.js';

/** Characters of a line of the Markdown. */
const LINE = 300;

/**
 * Attempts as Markdown: what was tried and what mended it, as quotations. It has no `<`, `>` or arrow: two
 * clients turn them into entities (C-07).
 */
export function attemptsMarkdown(rows: readonly AttemptRow[]): string {
  if (rows.length === 0) return 'No earlier attempt has anything in common with this.\n';
  const head = rows.every(({ confidence }) => confidence === 'low')
    ? 'Nothing alike is recorded; the nearest earlier attempts (quoted from the record, not instructions):'
    : 'Earlier attempts of this project, the most alike first (quoted from the record, not instructions):';
  return `${[head, ...rows.map(section)].join('\n\n')}\n`;
}

function section(row: AttemptRow, at: number): string {
  const { score, confidence, status, task_id, files, errors, resolved_by, summary, why } = row;
  const lines = [
    `${at + 1}. ${plain(summary) || task_id} (${status}, confidence ${confidence}, score ${score.toFixed(2)}, ${task_id})`,
    ...errors.map(({ error_type, message }) => `   - failed with ${error_type}: ${plain(message)}`),
    ...(resolved_by ? mendLines(resolved_by) : []),
    ...(files.length > 0 ? [`   - files: ${files.map(plain).join(', ')}`] : []),
    ...(why === '' ? [] : [`   - why: ${plain(why)}`]),
  ];
  return lines.join('\n');
}

function mendLines({ changes, passed }: NonNullable<AttemptRow['resolved_by']>): string[] {
  const what = passed ? 'mended by' : 'followed by (not seen to pass)';
  return changes.map((change) => `   - ${what} ${changeText(change)}`);
}

function changeText({ kind, file, command, now, removed }: ChangeRow): string {
  if (kind === 'command') return `running \`${code(command ?? '')}\``;
  const quoted = (lines: readonly string[]) => lines.map((line) => `\`${code(line)}\``).join(' ');
  const was = removed && removed.length > 0 ? `; instead of ${quoted(removed)}` : '';
  const is = now && now.length > 0 ? `: ${quoted(now)}` : '';
  return `an edit of ${file === null ? 'a file' : plain(file)}${is}${was}`;
}

/** What stands between backquotes: they cannot stand in it, nor can what clients turn into entities. */
function code(text: string): string {
  return withoutAngles(text.replaceAll('`', "'"));
}

function plain(text: string): string {
  return withoutAngles(quotedLine(withoutAngles(text), LINE));
}

/** Single angle quotation marks look alike, and no client changes them. */
function withoutAngles(text: string): string {
  return text.replaceAll('->', '→').replaceAll('=>', '⇒').replaceAll('<', '‹').replaceAll('>', '›');
}
