import { z } from 'zod';
import { pathField, problemLines, UpdateOutput, updateFiles } from '../../graphs/code/index.js';
import { markdownTable } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';

/** What an update came to, as Markdown. */
function updateSummary(output: UpdateOutput): string {
  const { files_updated, files_removed, symbols_updated, files_resolved, duration_ms, why } = output;
  const removed = files_removed > 0 ? ` (${files_removed} removed)` : '';
  const lines = [
    `Updated ${files_updated} ${files_updated === 1 ? 'file' : 'files'}${removed}: ${symbols_updated} symbols, ` +
      `${files_resolved} resolved again, ${Math.round(duration_ms)} ms.`,
  ];
  if (why !== null) lines.push(why);
  const rows = output.skipped.map(({ path, reason, detail }) => [path, reason, detail || '-']);
  if (rows.length > 0) lines.push('', markdownTable(['path', 'left out', 'why'], rows));
  if (output.problems.length > 0) lines.push('', 'Problems:', ...problemLines(output.problems));
  return `${lines.join('\n')}\n`;
}

const PATHS = z.array(pathField()).max(1000);

/**
 * Brings the graph up to date with files that changed, came or went, and with the edges of others to them. What it
 * costs follows the change: no other folder is listed, no other file is read.
 */
export const GraphUpdateFiles = defineWalker('graph_update_files', {
  description:
    'After editing files: bring their symbols and all edges to and from them up to date. Takes changed, new, deleted and renamed files, and folders.',
  access: 'steps',
  input: {
    paths: PATHS.min(1).describe(
      'Files or folders, absolute or relative to the project root; deleted ones too',
    ),
    file_paths: PATHS.default([]).describe('More of them, named as in graph_context_for_files'),
  },
  output: UpdateOutput,
  examples: [
    { title: 'One file', input: { paths: ['src/app.ts'] } },
    { title: 'A renamed file: both names', input: { paths: ['src/old.ts', 'src/new.ts'] } },
  ],
  run: async (_here, context) => {
    const { paths, file_paths } = context.state;
    return updateFiles(context, [...paths, ...file_paths]);
  },
  markdown: updateSummary,
});
