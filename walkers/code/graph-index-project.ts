import { z } from 'zod';
import { IndexOutput, indexProject, problemLines } from '../../graphs/code/index.js';
import { countsLine, markdownTable, plural } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { SKIP_REASONS, type SkipReason } from '../../source/index.js';

/**
 * Indexes the project: discovers its files, extracts those whose content changed, resolves whoever that can matter
 * to and writes the difference. Nothing of the graph has to be walked for it: it begins at the root and stays there.
 */
export const GraphIndexProject = defineWalker('graph_index_project', {
  description:
    'Index a project: files, symbols, calls, imports, inheritance. Run once, then again after changes (mode incremental).',
  access: 'steps',
  input: {
    mode: z
      .enum(['full', 'incremental'])
      .default('full')
      .describe('full: extract every file again; incremental: only files whose content changed'),
    include: z.array(z.string()).default([]).describe('Globs: only matching files; others leave the graph'),
    exclude: z.array(z.string()).default([]).describe('Globs: no matching files; they leave the graph'),
    max_file_bytes: z
      .number()
      .int()
      .min(LIMITS.fileBytes.min)
      .max(LIMITS.fileBytes.max)
      .default(LIMITS.fileBytes.default)
      .describe('Larger files are skipped'),
  },
  output: IndexOutput,
  examples: [
    { title: 'Index everything', input: {} },
    { title: 'Only what changed', input: { mode: 'incremental' } },
  ],
  run: (_here, context) => indexProject(context, context.state),
  markdown: indexSummary,
});

/** What an index run found, as Markdown. */
function indexSummary(output: IndexOutput): string {
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
