import { z } from 'zod';
import { offsetsOf, pageFields, presented } from '../../present/index.js';
import { compareText, defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { CodewalkError, LIMITS, Memory, MemoryVersion } from '../../schema/index.js';
import { readIndex, TextIndex } from '../../search/index.js';
import { plural } from '../markdown.js';
import { quotedLine, shownLine } from '../shown-text.js';
import { minuteOf } from '../trace/shown-times.js';
import { isoOf, timeOf } from '../trace/times.js';
import { foundMemories, memoriesDraft } from './fit-memories.js';
import { idField, queryField } from './memory-fields.js';
import { versionsOf } from './memory-history.js';
import { fieldsOf, MEMORY_TEXT, wordsOf } from './memory-text.js';
import { memoryNamed } from './named-memory.js';
import { currentRow, VersionRow, versionRow } from './version-row.js';

/** What a memory said at a time. */
const AsOfRow = VersionRow.extend({
  /** How well it fits the query; null where none was given. */
  score: z.number().nullable(),
});
type AsOfRow = z.infer<typeof AsOfRow>;

/** Memories that are looked at for having said it then already, and versions for having been replaced since. */
const MOST_TRIED = 5000;
/** Hits that are looked at first, beside those that are wanted. */
const BESIDE = 200;

interface SaidThen {
  /** The best first. */
  readonly rows: readonly AsOfRow[];
  /** Null where all that there is was looked at. */
  readonly note: string | null;
}

type Look = Pick<ReadContext, 'blobs' | 'blobsUnder' | 'kept' | 'version' | 'lookUp' | 'nodesOf'>;

/**
 * What memories said at a time that fits a query: what is still said since then, and what was replaced later; of each its
 * share of the words of the query.
 *
 * @param time ISO 8601.
 */
export async function saidThen(context: Look, time: string, query: string, most: number): Promise<SaidThen> {
  const words = wordsOf(query);
  const still = await stillSaid(context, time, words, most);
  const replaced = await replacedSince(context, time, words);
  const rows = [...still.rows, ...replaced.rows].sort(
    (a, b) =>
      (b.score ?? 0) - (a.score ?? 0) || b.importance - a.importance || compareText(a.memory_id, b.memory_id),
  );
  const isCut = still.isCut || replaced.isCut;
  const note = `Of what may have been said then ${MOST_TRIED} were looked at: give more words, or a memory_id.`;
  return { rows: rows.slice(0, most), note: isCut ? note : null };
}

interface Found {
  readonly rows: readonly AsOfRow[];
  readonly isCut: boolean;
}

/** The best hits of today that were said by then. */
async function stillSaid(
  context: Look,
  time: string,
  words: ReadonlyMap<string, number>,
  most: number,
): Promise<Found> {
  const index = readIndex(context, MEMORY_TEXT);
  for (let limit = most + BESIDE; ; limit *= 4) {
    const hits = await index.search(words, { limit: Math.min(limit, MOST_TRIED) });
    const scores = new Map(hits.map(({ id, score }) => [id, score]));
    const memories = (await context.nodesOf(Memory, [...scores.keys()])).filter(
      ({ gone, updated_at }) => !gone && updated_at <= time,
    );
    const isMore = memories.length < most && hits.length >= limit;
    if (isMore && limit < MOST_TRIED) continue;
    const rows = memories.map((memory) => ({ ...currentRow(memory), score: scores.get(memory.id) ?? 0 }));
    return { rows, isCut: isMore || (memories.length < most && hits.length >= MOST_TRIED) };
  }
}

/** What was said then and has been replaced, those first that were replaced soonest. */
async function replacedSince(
  context: Look,
  time: string,
  words: ReadonlyMap<string, number>,
): Promise<Found> {
  const versions = new Map<string, NodeRef<typeof MemoryVersion>>();
  let looked = 0;
  for await (const ids of context.lookUp(MemoryVersion, 'replaced_at', { gte: time })) {
    for (const version of await context.nodesOf(MemoryVersion, ids.slice(0, MOST_TRIED - looked)))
      if (!version.gone && version.said_at <= time && time < version.replaced_at)
        versions.set(version.id, version);
    looked += ids.length;
    if (looked > MOST_TRIED) break;
  }
  const then = new TextIndex(MEMORY_TEXT.weights);
  for (const version of versions.values()) then.add(version.id, fieldsOf(version));
  const rows = then.search(words).flatMap(({ owner, score }) => {
    const version = versions.get(owner);
    return version ? [{ ...versionRow(version), score }] : [];
  });
  return { rows, isCut: looked > MOST_TRIED };
}

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
