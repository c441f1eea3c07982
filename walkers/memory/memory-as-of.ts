import { z } from 'zod';
import {
  foundList,
  idField,
  memoriesDraft,
  memoryNamed,
  queryField,
  RelationStep,
  relationName,
  relationsThen,
  VersionRow,
  versionsMarkdown,
  versionsThen,
  versionThen,
} from '../../graphs/memory/index.js';
import { minuteOf, offsetsOf, pageFields, plural, presented, shownLine } from '../../present/index.js';
import { defineWalker, type ReadContext } from '../../runtime/index.js';
import { CodewalkError, isoOf, LIMITS, Memory, timeOf } from '../../schema/index.js';

const { memoryRecallRows, lookupTokens } = LIMITS;

const AsOfOutput = z.object({
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
});

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
    limit: z
      .number()
      .int()
      .min(memoryRecallRows.min)
      .max(memoryRecallRows.max)
      .default(memoryRecallRows.default),
    ...pageFields(lookupTokens),
  },
  output: AsOfOutput,
  examples: [
    { title: 'What was known then', input: { time: '2026-05-01T12:00:00Z', query: 'session expiry' } },
    { title: 'One memory', input: { time: '2026-05-01T12:00:00Z', memory_id: '01k8z5x2m9' } },
  ],
  finish: async ({ state: { time: given, memory_id, query, limit, cursor }, context }) => {
    const time = timeIn(given);
    const [from = 0] = offsetsOf(cursor);
    const { rows, isCut } =
      memory_id === undefined
        ? await versionsThen(context, time, queryIn(query), from + limit + 1)
        : { rows: [{ ...(await oneThen(context, memory_id, time)), score: null }], isCut: false };
    const results = [];
    for (const { effectiveness, ...row } of rows.slice(from, from + limit)) {
      const relationships = await relationsThen(context, row.memory_id, time);
      const [memory] = await context.nodesOf(Memory, [row.memory_id]);
      const isKnown =
        effectiveness === null || (memory && !memory.gone && (memory.last_validated ?? '') <= time);
      results.push({ ...row, ...(isKnown ? { effectiveness } : {}), relationships });
    }
    const note = 'Not all that may have been said then was looked at: give more words, or a memory_id.';
    const cut = isCut ? [note] : [];
    const output = { time, results, has_more: rows.length > from + limit, state: { cut } };
    return presented(memoriesDraft(output, foundList(from, rows.length, limit)));
  },
  markdown: ({ time, results }) => {
    const lines = versionsMarkdown(results, ({ memory_id, said_at, replaced_at, relationships }) => {
      const until = replaced_at === null ? '' : `, until ${minuteOf(replaced_at)}`;
      const related = relationships.map((step) => `; ${step.from} ${relationName(step)} ${step.to}`);
      return `since ${minuteOf(said_at)}${until} ${memory_id}${related.join('')}`;
    });
    const count = plural(results.length, 'memory', 'memories');
    return [`## ${count} as of ${minuteOf(time)}`, '', ...lines, ''].join('\n');
  },
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
