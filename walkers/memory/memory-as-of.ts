import { z } from 'zod';
import {
  idField,
  memoryList,
  memoryNamed,
  queryField,
  RelationStep,
  relationName,
  relationsThen,
  VersionRow,
  versionLines,
  versionsThen,
  versionThen,
} from '../../graphs/memory/index.js';
import {
  limitField,
  listAnswer,
  listMarkdown,
  minuteOf,
  mostOf,
  pageFields,
  shownLine,
} from '../../present/index.js';
import { defineWalker, type ReadContext } from '../../runtime/index.js';
import { CodewalkError, isoOf, LIMITS, Memory, timeOf } from '../../schema/index.js';

const { memoryRecallRows, lookupTokens } = LIMITS;

type Hit = VersionRow & { readonly score: number | null };

/** Shows memories as they were at a time, those that were deleted since too. */
export const MemoryAsOf = defineWalker('memory_as_of', {
  description:
    'What a memory said at a time, or which memories fitted a query then, with their relations then; deleted ones too.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    time: z.union([z.string().trim().min(1), z.number()]).describe('ISO 8601, or milliseconds since 1970'),
    memory_id: idField.optional().describe('This one, or else those that fit the query'),
    query: queryField.optional(),
    limit: limitField(memoryRecallRows),
    ...pageFields(lookupTokens),
  },
  output: z.object({
    time: z.string(),
    results: z.array(
      VersionRow.extend({
        /** How well it fits the query; null where none was given. */
        score: z.number().nullable(),
        /** The relations that it had then. */
        relationships: z.array(RelationStep),
        /** Left out where it is not known: outcomes were counted since. */
        effectiveness: VersionRow.shape.effectiveness.optional(),
      }),
    ),
    has_more: z.boolean(),
  }),
  examples: [
    { title: 'What was known then', input: { time: '2026-05-01T12:00:00Z', query: 'session expiry' } },
    { title: 'One memory', input: { time: '2026-05-01T12:00:00Z', memory_id: '01k8z5x2m9' } },
  ],
  finish: async ({ state, context }) => {
    const { memory_id, query } = state;
    const time = timeIn(state.time);
    const found =
      memory_id === undefined ? await versionsThen(context, time, queryIn(query), mostOf(state)) : null;
    const hits: readonly Hit[] = found?.rows ?? [
      { ...(await oneThen(context, memory_id ?? '', time)), score: null },
    ];
    const withRelations = async ({ effectiveness, ...row }: Hit) => {
      const relationships = await relationsThen(context, row.memory_id, time);
      const [memory] = await context.nodesOf(Memory, [row.memory_id]);
      const isKnown =
        effectiveness === null || (memory && !memory.gone && (memory.last_validated ?? '') <= time);
      return { ...row, ...(isKnown ? { effectiveness } : {}), relationships };
    };
    const note = 'Not all that may have been said then was looked at: give more words, or a memory_id.';
    return listAnswer(
      memoryList('results'),
      { hits, notes: found?.isCut ? [note] : [] },
      state,
      (rows) => Promise.all(rows.map(withRelations)),
      ({ has_more }) => ({ time, has_more }),
    );
  },
  markdown: ({ time, results }) =>
    listMarkdown(results, ['memory', 'memories', ` as of ${minuteOf(time)}`], (row) => {
      const until = row.replaced_at === null ? '' : `, until ${minuteOf(row.replaced_at)}`;
      const related = row.relationships.map((step) => `; ${step.from} ${relationName(step)} ${step.to}`);
      return versionLines(row, `since ${minuteOf(row.said_at)}${until} ${row.memory_id}${related.join('')}`);
    }),
});

function timeIn(given: string | number): string {
  const time = timeOf(given);
  if (time !== null) return isoOf(time);
  throw new CodewalkError('INVALID_INPUT', `time: '${shownLine(String(given), 100)}' is no time`, {
    input: given,
    suggestion: "Give a time as '2026-05-01T12:00:00Z', or milliseconds since 1970.",
  });
}

function queryIn(query: string | undefined): string {
  if (query) return query;
  throw new CodewalkError('INVALID_INPUT', 'neither memory_id nor query is given', {
    suggestion: 'Give the id of a memory, or words to look for.',
  });
}

async function oneThen(context: ReadContext, given: string, time: string): Promise<VersionRow> {
  const exact = await versionThen(context, given, time);
  if (exact) return exact;
  const { id, created_at } = await memoryNamed(context, given);
  const then = await versionThen(context, id, time);
  if (then) return then;
  throw new CodewalkError('NODE_NOT_FOUND', `memory_id: '${given}' was first stored ${created_at}`, {
    input: given,
    suggestion: `Ask for a time from ${created_at} on.`,
  });
}
