import { z } from 'zod';
import { compareText, defineWalker } from '../../runtime/index.js';
import { LIMITS, Memory } from '../../schema/index.js';
import { countsLine, plural } from '../markdown.js';
import { budgetField } from '../token-budget.js';
import { AboutFields, withAbout } from './about-row.js';
import { fitMemories } from './fit-memories.js';
import type { MemoryRef } from './found-memories.js';
import { wholeField } from './memory-fields.js';
import { memoriesMarkdown } from './memory-markdown.js';
import { MemoryRow, memoryRow } from './memory-row.js';
import { linksOf } from './relation-links.js';

const { memoryActivityDays, memoryRecallRows, lookupTokens } = LIMITS;

const DAY_MS = 24 * 60 * 60 * 1000;
/** Relations that say of what they reach that something was done about it. */
const SOLVING = ['SOLVES', 'ADDRESSES', 'REPLACES', 'PREVENTS'];

const ActivityRow = MemoryRow.extend(AboutFields);

const ActivityOutput = z.object({
  /** ISO 8601. */
  since: z.string(),
  total: z.number().int(),
  by_type: z.record(z.string(), z.number().int()),
  /** The latest first. */
  recent: z.array(ActivityRow),
  /** Problems and errors of this time that no memory solves. */
  unresolved: z.array(ActivityRow),
});

/** What was remembered of late. */
export const MemoryActivity = defineWalker('memory_activity', {
  description:
    'Show what was remembered of late: counts by type, the latest memories, and problems that nothing solves yet.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    days: wholeField(memoryActivityDays).default(memoryActivityDays.default),
    project: z.string().optional().describe('Only of this project path'),
    max_tokens: budgetField(lookupTokens),
  },
  output: ActivityOutput,
  examples: [{ title: 'The last month', input: { days: 30 } }],
  start: () => null,
  on: () => [],
  finish: async ({ state: { days, project, max_tokens }, context }) => {
    const since = new Date(context.now() - days * DAY_MS).toISOString();
    const found: MemoryRef[] = [];
    for await (const ids of context.lookUp(Memory, 'created_at', { gte: since, reverse: true }))
      found.push(...(await context.nodesOf(Memory, ids)));
    const fits = found
      .filter(
        ({ gone, context_project_path }) =>
          !gone && (project === undefined || context_project_path === project),
      )
      .sort((a, b) => compareText(b.created_at, a.created_at) || compareText(b.id, a.id));
    const by_type: Record<string, number> = {};
    for (const { type } of fits) by_type[type] = (by_type[type] ?? 0) + 1;
    const troubles = fits.filter(({ type }) => type === 'problem' || type === 'error');
    const links = await linksOf(
      context,
      troubles.map(({ id }) => id),
      SOLVING,
    );
    const unsolved = troubles.filter((_, at) => !links[at]?.some(({ direction }) => direction === 'in'));
    const most = memoryRecallRows.default;
    const half = max_tokens === undefined ? undefined : Math.max(1, Math.floor(max_tokens / 2));
    const shown = (some: readonly MemoryRef[]) => withAbout(context, some.slice(0, most).map(memoryRow));
    const recent = fitMemories(await shown(fits), half);
    const unresolved = fitMemories(await shown(unsolved), half);
    const left = (of: number, what: string) => (most < of ? [`The latest ${most} of ${of} ${what}.`] : []);
    return {
      since,
      total: fits.length,
      by_type,
      recent: [...recent.rows],
      unresolved: [...unresolved.rows],
      state: {
        cut: [
          ...left(fits.length, 'memories'),
          ...left(unsolved.length, 'unresolved problems'),
          ...new Set([...recent.cut, ...unresolved.cut]),
        ],
      },
    };
  },
  markdown: ({ since, total, by_type, recent, unresolved }) =>
    [
      `${plural(total, 'memory', 'memories')} since ${since.slice(0, 10)}: ${countsLine(by_type)}.`,
      '',
      ...(recent.length > 0 ? [memoriesMarkdown(recent, 'latest first')] : []),
      ...(unresolved.length > 0 ? [memoriesMarkdown(unresolved, 'that nothing solves yet')] : []),
    ].join('\n'),
});
