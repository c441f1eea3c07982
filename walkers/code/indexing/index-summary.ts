import { SKIP_REASONS, type SkipReason } from '../../../source/index.js';
import { countsLine, markdownTable, plural } from '../../markdown.js';
import type { IndexOutput } from './index-output.js';
import { problemLines } from './problem-lines.js';

/** What an index run found, as Markdown. */
export function indexSummary(output: IndexOutput): string {
  const seconds = (output.duration_ms / 1000).toFixed(1);
  const { calls, languages, skipped, problems } = output;
  const lines = [
    `Indexed ${output.files_indexed} of ${plural(output.files_total, 'file')} in ${seconds} s: ` +
      `${plural(output.symbols_total, 'symbol')}, ${plural(output.edges_total, 'edge')}.`,
  ];
  if (languages.length === 0) lines.push('', 'The folder holds no text file that is indexed.');
  else
    lines.push(
      '',
      markdownTable(
        ['language', 'files', 'extracted', 'symbols'],
        languages.map(({ language, files, extracted, symbols }) => [
          language,
          files,
          extracted || '-',
          symbols || '-',
        ]),
      ),
      '',
      `Symbols: ${countsLine(output.symbols_by_kind)}`,
      `Edges: ${countsLine(output.edges_by_type)}`,
      `Calls: ${calls.resolved} inside the project, ${calls.external} of packages, ${calls.unresolved} unresolved`,
    );
  if (output.files_removed > 0) lines.push(`Removed: ${plural(output.files_removed, 'file')} that are gone`);
  const reasons = Object.entries(skipped);
  if (reasons.length > 0) {
    lines.push('', 'Left out:');
    for (const [reason, number] of reasons)
      lines.push(`- ${number} ${reason}: ${SKIP_REASONS[reason as SkipReason] ?? ''}`);
  }
  if (problems.length > 0) lines.push('', 'Problems:', ...problemLines(problems));
  return `${lines.join('\n')}\n`;
}
