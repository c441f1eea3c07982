import { z } from 'zod';
import { countsOf } from '../../graphs/memory/index.js';
import { countsLine, minuteOf, plural, quotedLine } from '../../present/index.js';
import { compareText, defineWalker } from '../../runtime/index.js';
import {
  GROUP_OF_RELATION,
  MEMORY_RELATIONS,
  MEMORY_TYPES,
  Memory,
  MemoryAbout,
  MemoryVersion,
} from '../../schema/index.js';
import { cachedAnswers } from '../kept-answers.js';

const MOST_TAGS = 20;

const count = z.number().int();
const counts = z.record(z.string(), count);
const mean = z.number().nullable();

const StatsOutput = z.object({
  memories: count,
  /** Types of which there are none are left out. */
  by_type: counts,
  relationships: count,
  by_relation: counts,
  by_group: counts,
  /** Relations that Codewalk proposes and no caller has asserted: in no other count. */
  proposed: count,
  /** Bindings to files, symbols, tasks and errors. */
  about: count,
  earlier_versions: count,
  /** Means over all memories; null where there is none. */
  mean_importance: mean,
  mean_confidence: mean,
  /** Over those that have one. */
  mean_effectiveness: mean,
  never_read: count,
  /** The most frequent tags. */
  tags: z.array(z.object({ tag: z.string(), count })),
  first_stored: z.string().nullable(),
  last_changed: z.string().nullable(),
});
type StatsOutput = z.infer<typeof StatsOutput>;

/** All memories are read: asked again of the same graph, the answer is the same. */
const ANSWERS = cachedAnswers<StatsOutput>('counts of memories');

/** Counts what is stored of memories. */
export const MemoryStats = defineWalker('memory_stats', {
  description:
    'What is remembered, in numbers: memories by type, relations, tags, mean importance and confidence.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {},
  output: StatsOutput,
  examples: [{ title: 'All of it', input: {} }],
  finish: async ({ context }) => {
    const known = context.cached(ANSWERS).find(context, '');
    if (known) return known;
    const memories = await context.find(Memory);
    const { nodes, edges } = await context.counts();
    let [relationships, proposed] = [0, 0];
    const by_relation: Record<string, number> = {};
    const by_group: Record<string, number> = {};
    for (const [name, relation] of Object.entries(MEMORY_RELATIONS)) {
      const stored = edges.get(relation.name) ?? 0;
      if (stored === 0) continue;
      const proposals = await context.q(memories).out(relation, { proposed: true }).edges();
      proposed += proposals.length;
      const asserted = stored - proposals.length;
      if (asserted === 0) continue;
      const group = GROUP_OF_RELATION.get(name) ?? '';
      relationships += asserted;
      by_relation[name] = asserted;
      by_group[group] = (by_group[group] ?? 0) + asserted;
    }
    const types = countsOf(memories.map(({ type }) => type));
    const tags = Object.entries(countsOf(memories.flatMap((memory) => memory.tags)));
    tags.sort(([a, x], [b, y]) => y - x || compareText(a, b));
    const times = memories
      .flatMap(({ created_at, updated_at }) => [created_at, updated_at])
      .sort(compareText);
    const answer = {
      memories: memories.length,
      by_type: Object.fromEntries(MEMORY_TYPES.flatMap((type) => (types[type] ? [[type, types[type]]] : []))),
      relationships,
      by_relation,
      by_group,
      proposed,
      about: edges.get(MemoryAbout.name) ?? 0,
      earlier_versions: nodes.get(MemoryVersion.name) ?? 0,
      mean_importance: meanOf(memories.map(({ importance }) => importance)),
      mean_confidence: meanOf(memories.map(({ confidence }) => confidence)),
      mean_effectiveness: meanOf(memories.flatMap(({ effectiveness }) => effectiveness ?? [])),
      never_read: memories.filter(({ usage_count }) => usage_count === 0).length,
      tags: tags.slice(0, MOST_TAGS).map(([tag, number]) => ({ tag, count: number })),
      first_stored: times.at(0) ?? null,
      last_changed: times.at(-1) ?? null,
    };
    context.cached(ANSWERS).keep(context, '', answer);
    return answer;
  },
  markdown: (stats) => {
    const means = (['importance', 'confidence', 'effectiveness'] as const).flatMap((name) => {
      const mean = stats[`mean_${name}`];
      return mean === null ? [] : [`${name} ${mean}`];
    });
    const proposed = stats.proposed > 0 ? `, ${stats.proposed} more proposed` : '';
    const { first_stored: first, last_changed: last } = stats;
    return [
      `## ${plural(stats.memories, 'memory', 'memories')}`,
      '',
      `- types: ${countsLine(stats.by_type)}`,
      `- relations: ${stats.relationships} (${countsLine(stats.by_relation)})${proposed}`,
      `- about files, symbols, tasks and errors: ${stats.about}`,
      `- earlier versions: ${stats.earlier_versions}`,
      `- means: ${means.join(', ') || 'none'}`,
      `- never read: ${stats.never_read}`,
      `- tags: ${stats.tags.map(({ tag, count }) => `${count} ${quotedLine(tag, 40)}`).join(', ') || 'none'}`,
      ...(first === null || last === null ? [] : [`- from ${minuteOf(first)} to ${minuteOf(last)}`]),
      '',
    ].join('\n');
  },
});

/** To four digits; null of nothing. */
function meanOf(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  const sum = numbers.reduce((all, number) => all + number, 0);
  return Math.round((sum / numbers.length) * 10_000) / 10_000;
}
