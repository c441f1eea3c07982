import { SKIP_REASONS, type SkipReason } from '../../../source/index.js';
import type { IndexOutput } from './index-output.js';

/** Problems that are named one by one; more of them are counted. */
const NAMED_PROBLEMS = 20;

/** What an index run found, as Markdown. */
export function indexSummary(output: IndexOutput): string {
  const seconds = (output.duration_ms / 1000).toFixed(1);
  const lines = [
    `Indexed ${output.files_indexed} of ${plural(output.files_total, 'file')} in ${seconds} s: ` +
      `${plural(output.symbols_total, 'symbol')}, ${plural(output.edges_total, 'edge')}.`,
    '',
    table(
      ['language', 'files', 'extracted', 'symbols'],
      output.languages.map(({ language, files, extracted, symbols }) => [
        language,
        files,
        extracted || '-',
        symbols || '-',
      ]),
    ),
    '',
    `Symbols: ${counts(output.symbols_by_kind)}`,
    `Edges: ${counts(output.edges_by_type)}`,
    `Calls: ${output.calls.resolved} to symbols of the project, ${output.calls.unresolved} to what is outside or unresolved`,
  ];
  if (output.files_removed > 0) lines.push(`Removed: ${plural(output.files_removed, 'file')} that are gone`);
  const skipped = Object.entries(output.skipped);
  if (skipped.length > 0) {
    lines.push('', 'Left out:');
    for (const [reason, number] of skipped)
      lines.push(`- ${number} ${reason}: ${SKIP_REASONS[reason as SkipReason] ?? ''}`);
  }
  if (output.problems.length > 0) lines.push('', 'Problems:', ...problemLines(output.problems));
  return `${lines.join('\n')}\n`;
}

function problemLines(problems: IndexOutput['problems']): string[] {
  const named = problems
    .slice(0, NAMED_PROBLEMS)
    .map(({ path, reason, detail }) => `- ${path}: ${reason}${detail && `, ${detail}`}`);
  const more = problems.length - NAMED_PROBLEMS;
  return more > 0 ? [...named, `- and ${more} more (--json names them all)`] : named;
}

function counts(byName: Readonly<Record<string, number>>): string {
  return (
    Object.entries(byName)
      .map(([name, number]) => `${number} ${name}`)
      .join(', ') || 'none'
  );
}

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

/** A Markdown table whose columns line up: the first to the left, the others to the right. */
function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const texts = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(3, ...texts.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  const [first = [], ...rest] = texts;
  return [line(first), rule, ...rest.map(line)].join('\n');
}
