import { z } from 'zod';
import { offsetsOf, pageFields, presented } from '../../present/index.js';
import { compareText, defineWalker } from '../../runtime/index.js';
import { LIMITS } from '../../schema/index.js';
import { semanticHits } from '../../search/index.js';
import { AboutFields, withAbout } from './about-row.js';
import { foundMemories, memoriesDraft } from './fit-memories.js';
import { firstMemories, NO_FILTER } from './found-memories.js';
import { joinedHits } from './joined-hits.js';
import { offsetField, queryField, typesField, typesOf, wholeField } from './memory-fields.js';
import { memoriesMarkdown } from './memory-markdown.js';
import { wasRead } from './memory-read.js';
import { MemoryRow, memoryRow } from './memory-row.js';
import { besides, recallEvidence, recallScore } from './recall-score.js';
import { soughtWords } from './sought.js';
import { textHits } from './text-hits.js';
import { whyNone } from './why-none.js';

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
  start: () => null,
  on: () => [],
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
