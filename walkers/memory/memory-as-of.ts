import { z } from 'zod';
import { offsetsOf, pageFields, presented } from '../../present/index.js';
import { defineWalker, type ReadContext } from '../../runtime/index.js';
import { CodewalkError, LIMITS } from '../../schema/index.js';
import { plural } from '../markdown.js';
import { quotedLine, shownLine } from '../shown-text.js';
import { minuteOf } from '../trace/shown-times.js';
import { isoOf, timeOf } from '../trace/times.js';
import { foundMemories, memoriesDraft } from './fit-memories.js';
import { idField, queryField } from './memory-fields.js';
import { versionsOf } from './memory-history.js';
import { memoryNamed } from './named-memory.js';
import { AsOfRow, saidThen } from './said-then.js';

const { memoryRecallRows, lookupTokens } = LIMITS;

/** Characters of what a memory said, in a list. */
const EXCERPT = 300;

const AsOfOutput = z.object({
  time: z.string(),
  results: z.array(AsOfRow),
  has_more: z.boolean(),
});

/** What memories said at a time. What was deleted since is not among them. */
export const MemoryAsOf = defineWalker('memory_as_of', {
  description:
    'What a memory said at a time, or which memories fitted a query then: updates keep what was said before.',
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
    const time = timeAsked(given);
    const [from = 0] = offsetsOf(cursor);
    const found =
      memory_id === undefined
        ? await saidThen(context, time, queryAsked(query), from + limit + 1)
        : { rows: [await oneAt(time, memory_id, context)], note: null };
    const notes = found.note === null ? [] : [found.note];
    const output = {
      time,
      results: found.rows.slice(from, from + limit),
      has_more: found.rows.length > from + limit,
      state: { cut: notes },
    };
    return presented(memoriesDraft(output, foundMemories(from, found.rows.length, limit)));
  },
  markdown: ({ time, results }) =>
    [
      `## ${plural(results.length, 'memory', 'memories')} as of ${minuteOf(time)}`,
      '',
      ...results.flatMap(({ memory_id, title, type, said_at, replaced_at, content }) => [
        `- **${quotedLine(title, 120)}** (${type}), said ${minuteOf(said_at)}${replaced_at === null ? '' : `, replaced ${minuteOf(replaced_at)}`} ${memory_id}`,
        ...(content === '' ? [] : [`  ${quotedLine(content, EXCERPT)}`]),
      ]),
      '',
    ].join('\n'),
});

function timeAsked(given: string | number): string {
  const time = timeOf(given);
  if (time !== null) return isoOf(time);
  throw new CodewalkError('INVALID_INPUT', `time: '${shownLine(String(given), 100)}' is no time`, {
    input: given,
    suggestion: "Give a time as '2026-05-01T12:00:00Z', or milliseconds since 1970.",
  });
}

function queryAsked(query: string | undefined): string {
  if (query) return query;
  throw new CodewalkError('INVALID_INPUT', 'neither memory_id nor query is given', {
    suggestion: 'Give the id of a memory, or words to look for.',
  });
}

async function oneAt(time: string, id: string, context: ReadContext): Promise<AsOfRow> {
  const memory = await memoryNamed(context, id);
  const said = (await versionsOf(memory, context)).find(({ said_at }) => said_at <= time);
  if (said) return { ...said, score: null };
  throw new CodewalkError('NODE_NOT_FOUND', `memory_id: '${id}' was first stored ${memory.created_at}`, {
    input: id,
    suggestion: `Ask for a time from ${memory.created_at} on.`,
  });
}
