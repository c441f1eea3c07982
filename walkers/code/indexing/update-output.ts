import { z } from 'zod';
import { markdownTable } from '../../markdown.js';
import { problemLines } from './problem-lines.js';

const count = z.number().int();

/** What updating files answers: the three figures of S3-04, and what came of the paths that were asked for. */
export const UpdateOutput = z.object({
  /** Files that were extracted, written anew or removed. */
  files_updated: count,
  /** Symbols of those that are still there. */
  symbols_updated: count,
  duration_ms: z.number(),
  /** Files among them that are gone. */
  files_removed: count,
  /** Files whose references were resolved again: those that changed, and those that a change could matter to. */
  files_resolved: count,
  /** `project`: more than the paths had to be looked at; `why` says for what. */
  scope: z.enum(['files', 'project']),
  why: z.string().nullable(),
  /** Paths that are in no graph: ignored, secret, binary, neither on disk nor in the graph. */
  skipped: z.array(z.object({ path: z.string(), reason: z.string(), detail: z.string() })),
  /** Files with a problem, each named. */
  problems: z.array(z.object({ path: z.string(), reason: z.string(), detail: z.string() })),
});

export type UpdateOutput = z.infer<typeof UpdateOutput>;

/** What an update came to, as Markdown. */
export function updateSummary(output: UpdateOutput): string {
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
