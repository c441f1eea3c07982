import { z } from 'zod';
import {
  countsOf,
  filterOf,
  ListedRow,
  type MemoryRef,
  memoriesAnswer,
  memoriesMarkdown,
  memoryRows,
  passing,
  relationsOf,
  wholeField,
} from '../../graphs/memory/index.js';
import { countsLine, offsetsOf, pageFields, plural } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { LIMITS, Memory } from '../../schema/index.js';

const { memoryActivityDays, memoryRecallRows, lookupTokens } = LIMITS;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Relations that say that something was done about the memory they reach. */
const SOLVING = ['SOLVES', 'ADDRESSES', 'REPLACES', 'PREVENTS'];

/** Shows what was remembered recently. */
export const MemoryActivity = defineWalker('memory_activity', {
  description:
    'Show what was remembered recently: counts by type, the latest memories, and problems that nothing solves yet.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    days: wholeField(memoryActivityDays).default(memoryActivityDays.default),
    project: z.string().optional().describe('Only of this project path'),
    ...pageFields(lookupTokens),
  },
  output: z.object({
    /** ISO 8601. */
    since: z.string(),
    total: z.number().int(),
    by_type: z.record(z.string(), z.number().int()),
    /** The latest first. */
    recent: z.array(ListedRow),
    /** Problems and errors of this time that no memory solves. */
    unresolved: z.array(ListedRow),
  }),
  examples: [{ title: 'The last month', input: { days: 30 } }],
  finish: async ({ state: { days, project, cursor }, context }) => {
    const since = new Date(context.now() - days * DAY_MS).toISOString();
    const filter = await filterOf(context, { project_path: project });
    const found: MemoryRef[] = [];
    for await (const ids of context.lookUp(Memory, 'created_at', { gte: since, reverse: true }))
      found.push(...(await passing(context, ids, filter)));
    const troubles = found.filter(({ type }) => type === 'problem' || type === 'error');
    const ids = troubles.map(({ id }) => id);
    const relations = await relationsOf(context, ids, SOLVING);
    const unsolved = troubles.filter((_, at) => !relations[at]?.some(({ direction }) => direction === 'in'));
    const [from = 0, fromUnsolved = 0] = offsetsOf(cursor);
    const rows = (some: readonly MemoryRef[], first: number) => {
      const shown = some.slice(first, first + memoryRecallRows.default).map((memory) => ({ memory }));
      return memoryRows(context, shown);
    };
    const output = {
      since,
      total: found.length,
      by_type: countsOf(found.map(({ type }) => type)),
      recent: await rows(found, from),
      unresolved: await rows(unsolved, fromUnsolved),
    };
    const latest = { at: 'recent', what: 'memories', from, total: found.length };
    const open = { at: 'unresolved', what: 'unresolved problems', from: fromUnsolved, least: 3 };
    return memoriesAnswer(output, latest, { ...open, total: unsolved.length });
  },
  markdown: ({ since, total, by_type, recent, unresolved }) =>
    [
      `${plural(total, 'memory', 'memories')} since ${since.slice(0, 10)}: ${countsLine(by_type)}.`,
      '',
      ...(recent.length > 0 ? [memoriesMarkdown(recent, 'latest first')] : []),
      ...(unresolved.length > 0 ? [memoriesMarkdown(unresolved, 'not resolved yet')] : []),
    ].join('\n'),
});
