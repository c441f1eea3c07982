import { z } from 'zod';
import { offsetsOf, pageFields, presented } from '../../present/index.js';
import { compareText, defineWalker, type ReadContext } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { type SemanticHits, semanticHits, withSemantic } from '../../search/index.js';
import { AboutFields, withAbout } from './about-row.js';
import { foundMemories, memoriesDraft } from './fit-memories.js';
import { firstMemories, type MemoryFilter, type MemoryRef, NO_FILTER, passing } from './found-memories.js';
import { offsetField, queryField, typesField, typesOf, wholeField } from './memory-fields.js';
import { memoriesMarkdown } from './memory-markdown.js';
import { wasRead } from './memory-read.js';
import { MemoryRow, memoryRow } from './memory-row.js';
import { soughtWords } from './sought.js';
import { textHits } from './text-hits.js';
import { whyNone } from './why-none.js';

/** What speaks for a memory beside its words, each from 0 to 1. */
interface RecallEvidence {
  readonly importance: number;
  /** Halves every {@link HALF_LIFE_DAYS} days since it was last said. */
  readonly recency: number;
  readonly confidence: number;
  /** Readings, saturated: five of them are a half. */
  readonly usage: number;
}

const WEIGHTS: RecallEvidence = { importance: 0.4, recency: 0.3, confidence: 0.2, usage: 0.1 };

/** The most that all of it together adds to what the words say: a quarter. */
const MOST_ADDED = 0.25;

const HALF_LIFE_DAYS = 90;

const DAY_MS = 24 * 60 * 60 * 1000;

const HALF_USED = 5;

/** A memory, and how well it fits what was asked; null where nothing was. */
interface RecallHit {
  readonly memory: MemoryRef;
  readonly score: number | null;
}

const { memoryRecallRows, lookupTokens } = LIMITS;

/** Hits by words for each one that is wanted: what else speaks for a memory lifts it no further. */
const DEEPER = 4;

const share = z.number();

const RecallOutput = z.object({
  results: z.array(
    MemoryRow.extend({
      ...AboutFields,
      score: share,
      /** What the score is made of, each from 0 to 1; `text` is null without a query. */
      why: z.object({
        text: share.nullable(),
        importance: share,
        recency: share,
        confidence: share,
        usage: share,
      }),
    }),
  ),
  /** Whether there are more behind these. */
  has_more: z.boolean(),
});

/** What is worth remembering now, asked in plain words. */
export const MemoryRecall = defineWalker('memory_recall', {
  description:
    'Recall what is known before you begin: ask in plain words. Ranked by the words, then by importance, recency, confidence and use.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {
    query: queryField.default('').meta({ positional: true }),
    memory_types: typesField.default([]),
    project_path: z.string().optional(),
    limit: wholeField(memoryRecallRows).default(memoryRecallRows.default),
    offset: offsetField.default(0),
    ...pageFields(lookupTokens),
  },
  output: RecallOutput,
  examples: [{ title: 'Before a change', input: { query: 'why do sessions end too soon?' } }],
  finish: async ({ state, context }) => {
    const { query, limit, project_path = null } = state;
    const [from = 0] = offsetsOf(state.cursor);
    const offset = state.offset + from;
    const types = typesOf(state.memory_types);
    const filter = { ...NO_FILTER, types, projectPath: project_path };
    const most = offset + limit + 1;
    const now = context.now();
    const sought =
      query === '' ? null : await soughtWords(context, { things: [query], tolerance: 'normal', mode: 'any' });
    const hits =
      sought === null
        ? (await firstMemories(context, filter, DEEPER * most)).memories.map((memory) => ({
            memory,
            score: null,
          }))
        : (await textHits(context, sought, filter, DEEPER * most)).hits;
    const semantic = await semanticHits(context, query, ['Memory'], DEEPER * most);
    const joined = await joinedHits(context, hits, semantic, filter);
    const ranked = joined
      .map(({ memory, score: text }) => {
        const evidence = recallEvidence(memory, now);
        const score = text === null ? besides(evidence) : recallScore(text, evidence);
        return { memory, score, why: { text, ...evidence } };
      })
      .sort((a, b) => b.score - a.score || compareText(b.memory.id, a.memory.id));
    const rows = ranked
      .slice(offset, offset + limit)
      .map(({ memory, score, why }) => ({ ...memoryRow(memory), score, why }));
    const notes = [
      ...(sought?.words.size === 0 ? ['The query has no word that tells memories apart.'] : []),
      ...(semantic.note === null ? [] : [semantic.note]),
    ];
    const output = {
      results: await withAbout(context, rows),
      has_more: ranked.length > offset + limit,
      state: { cut: [...(await whyNone(context, rows)), ...notes] },
    };
    return presented(memoriesDraft(output, foundMemories(from, ranked.length - state.offset, limit)));
  },
  afterwards: ({ results }) => wasRead(results.map(({ id }) => id)),
  markdown: ({ results }) => memoriesMarkdown(results, 'what fits best first'),
});

/**
 * What words found, joined with what embeddings say of memories that pass the same filter. As it is where they say
 * nothing.
 */
async function joinedHits(
  context: Pick<ReadContext, 'lookUp' | 'nodesOf' | 'entries'>,
  found: readonly RecallHit[],
  semantic: SemanticHits,
  filter: MemoryFilter,
): Promise<readonly RecallHit[]> {
  if (semantic.hits.length === 0) return found;
  const near = await passing(
    context,
    semantic.hits.map(({ id }) => id),
    filter,
  );
  const memories = new Map(
    [...found.map(({ memory }) => memory), ...near].map((memory) => [memory.id, memory]),
  );
  const byWords = new Map(found.map(({ memory, score }) => [memory.id, score ?? 0]));
  const hits = semantic.hits.filter(({ id }) => memories.has(id));
  return [...withSemantic(byWords, { hits })].flatMap(([id, score]) => {
    const memory = memories.get(id);
    return memory ? [{ memory, score }] : [];
  });
}

/** What speaks for a memory. @param now Milliseconds since 1970. */
function recallEvidence(memory: MemoryRef, now: number): RecallEvidence {
  const { importance, confidence, usage_count, updated_at } = memory;
  const days = Math.max(0, now - (Date.parse(updated_at) || 0)) / DAY_MS;
  return {
    importance,
    recency: 2 ** (-days / HALF_LIFE_DAYS),
    confidence,
    usage: usage_count / (usage_count + HALF_USED),
  };
}

/**
 * `text * (1 + 0.25 * (0.4 importance + 0.3 recency + 0.2 confidence + 0.1 usage))`: what a memory is besides breaks
 * ties and near ties between those that the words fit alike, and never lifts one above another that they fit a
 * quarter better.
 *
 * @param text What the words say: from 0 to 1.
 */
function recallScore(text: number, evidence: RecallEvidence): number {
  return text * (1 + MOST_ADDED * besides(evidence));
}

/** From 0 to 1. */
function besides({ importance, recency, confidence, usage }: RecallEvidence): number {
  return (
    WEIGHTS.importance * importance +
    WEIGHTS.recency * recency +
    WEIGHTS.confidence * confidence +
    WEIGHTS.usage * usage
  );
}
