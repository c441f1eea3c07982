import { z } from 'zod';
import { offsetsOf, pageFields, presented } from '../../present/index.js';
import { compareText, defineWalker } from '../../runtime/index.js';
import { LIMITS, Memory } from '../../schema/index.js';
import { countsLine, plural } from '../markdown.js';
import { AboutFields, withAbout } from './about-row.js';
import { memoriesDraft } from './fit-memories.js';
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
    ...pageFields(lookupTokens),
  },
  output: ActivityOutput,
  examples: [{ title: 'The last month', input: { days: 30 } }],
  finish: async ({ state: { days, project, cursor }, context }) => {
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
    const [from = 0, fromUnsolved = 0] = offsetsOf(cursor);
    const shown = (some: readonly MemoryRef[], first: number) =>
      withAbout(context, some.slice(first, first + most).map(memoryRow));
    const output = {
      since,
      total: fits.length,
      by_type,
      recent: await shown(fits, from),
      unresolved: await shown(unsolved, fromUnsolved),
    };
    return presented(
      memoriesDraft(
        output,
        { at: 'recent', what: 'memories', from, total: fits.length },
        {
          at: 'unresolved',
          what: 'unresolved problems',
          from: fromUnsolved,
          total: unsolved.length,
          least: 3,
        },
      ),
    );
  },
  markdown: ({ since, total, by_type, recent, unresolved }) =>
    [
      `${plural(total, 'memory', 'memories')} since ${since.slice(0, 10)}: ${countsLine(by_type)}.`,
      '',
      ...(recent.length > 0 ? [memoriesMarkdown(recent, 'latest first')] : []),
      ...(unresolved.length > 0 ? [memoriesMarkdown(unresolved, 'that nothing solves yet')] : []),
    ].join('\n'),
});
