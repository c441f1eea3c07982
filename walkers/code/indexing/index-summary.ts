import { SKIP_REASONS, type SkipReason } from '../../../source/index.js';
import { countsLine, markdownTable, plural } from '../../markdown.js';
import type { IndexOutput } from './index-output.js';
import { problemLines } from './problem-lines.js';

/** What an index run found, as Markdown. */
export function indexSummary(output: IndexOutput): string {
  const seconds = (output.duration_ms / 1000).toFixed(1);
  const lines = [
    `Indexed ${output.files_indexed} of ${plural(output.files_total, 'file')} in ${seconds} s: ` +
      `${plural(output.symbols_total, 'symbol')}, ${plural(output.edges_total, 'edge')}.`,
    '',
    markdownTable(
      ['language', 'files', 'extracted', 'symbols'],
      output.languages.map(({ language, files, extracted, symbols }) => [
        language,
        files,
        extracted || '-',
        symbols || '-',
      ]),
    ),
    '',
    `Symbols: ${countsLine(output.symbols_by_kind)}`,
    `Edges: ${countsLine(output.edges_by_type)}`,
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
