import { z } from 'zod';
import { compareText, defineWalker, type NodeRef, type ReadContext } from '../../runtime/index.js';
import {
  GROUP_OF_RELATION,
  MEMORY_RELATION_PREFIX,
  MEMORY_RELATIONS,
  MEMORY_TYPES,
  Memory,
  MemoryAbout,
  MemoryVersion,
} from '../../schema/index.js';
import { keptAnswers } from '../kept-answers.js';
import { countsLine, plural } from '../markdown.js';
import { quotedLine } from '../shown-text.js';
import { minuteOf } from '../trace/shown-times.js';

const MOST_TAGS = 20;

const count = z.number().int();
const counts = z.record(z.string(), count);

const StatsOutput = z.object({
  memories: count,
  /** Types of which there are none are left out. */
  by_type: counts,
  relationships: count,
  by_relation: counts,
  by_group: counts,
  /** What memories are about: how many bindings to files, symbols, tasks and errors. */
  about: count,
  /** What memories said before. */
  earlier_versions: count,
  /** Means over all memories; null where there is none. */
  mean_importance: z.number().nullable(),
  mean_confidence: z.number().nullable(),
  /** Over those that have one. */
  mean_effectiveness: z.number().nullable(),
  never_read: count,
  /** The most frequent tags. */
  tags: z.array(z.object({ tag: z.string(), count })),
  first_stored: z.string().nullable(),
  last_changed: z.string().nullable(),
});
type StatsOutput = z.infer<typeof StatsOutput>;

/** All memories are looked at: asked again of the same graph, the answer is the same. */
const KEPT = keptAnswers<StatsOutput>('counts of memories');

/** What is remembered, in numbers. */
export const MemoryStats = defineWalker('memory_stats', {
  description:
    'What is remembered, in numbers: memories by type, relations, tags, how important and how sure.',
  withoutGraph: 'empty',
  reads: 'trace',
  input: {},
  output: StatsOutput,
  examples: [{ title: 'All of it', input: {} }],
  finish: async ({ context }) => {
    const known = context.kept(KEPT).find(context, '');
    if (known) return known;
    const answer = { ...saidStats(await context.find(Memory)), ...(await countedStats(context)) };
    context.kept(KEPT).keep(context, '', answer);
    return answer;
  },
  markdown: (stats) =>
    [
      `## ${plural(stats.memories, 'memory', 'memories')}`,
      '',
      `- types: ${countsLine(stats.by_type)}`,
      `- relations: ${stats.relationships} (${countsLine(stats.by_relation)})`,
      `- about files, symbols, tasks and errors: ${stats.about}`,
      `- earlier versions: ${stats.earlier_versions}`,
      `- means: ${meansLine(stats)}`,
      `- never read: ${stats.never_read}`,
      `- tags: ${stats.tags.map(({ tag, count }) => `${count} ${quotedLine(tag, 40)}`).join(', ') || 'none'}`,
      ...(stats.first_stored === null || stats.last_changed === null
        ? []
        : [`- from ${minuteOf(stats.first_stored)} to ${minuteOf(stats.last_changed)}`]),
      '',
    ].join('\n'),
});

function meansLine({ mean_importance, mean_confidence, mean_effectiveness }: StatsOutput): string {
  const means = {
    importance: mean_importance,
    confidence: mean_confidence,
    effectiveness: mean_effectiveness,
  };
  const known = Object.entries(means).flatMap(([name, mean]) => (mean === null ? [] : [`${name} ${mean}`]));
  return known.join(', ') || 'none';
}

/** What stands in counts that are kept anyway. */
async function countedStats({ counts }: Pick<ReadContext, 'counts'>) {
  const { nodes, edges } = await counts();
  const by_relation: Record<string, number> = {};
  const by_group: Record<string, number> = {};
  for (const relation of Object.values(MEMORY_RELATIONS)) {
    const name = relation.name.slice(MEMORY_RELATION_PREFIX.length);
    const number = edges.get(relation.name) ?? 0;
    if (number === 0) continue;
    by_relation[name] = number;
    const group = GROUP_OF_RELATION.get(name) ?? '';
    by_group[group] = (by_group[group] ?? 0) + number;
  }
  return {
    relationships: Object.values(by_relation).reduce((sum, number) => sum + number, 0),
    by_relation,
    by_group,
    about: edges.get(MemoryAbout.name) ?? 0,
    earlier_versions: nodes.get(MemoryVersion.name) ?? 0,
  };
}

/** What only a look at all of them tells. */
function saidStats(memories: readonly NodeRef<typeof Memory>[]) {
  const types = new Map<string, number>();
  const tags = new Map<string, number>();
  const add = (to: Map<string, number>, key: string) => to.set(key, (to.get(key) ?? 0) + 1);
  for (const memory of memories) {
    add(types, memory.type);
    for (const tag of memory.tags) add(tags, tag);
  }
  const by_type = MEMORY_TYPES.flatMap((type) => {
    const number = types.get(type);
    return number === undefined ? [] : [[type, number] as const];
  });
  const times = (field: 'created_at' | 'updated_at') =>
    memories.map((memory) => memory[field]).sort(compareText);
  return {
    memories: memories.length,
    by_type: Object.fromEntries(by_type),
    mean_importance: meanOf(memories.map(({ importance }) => importance)),
    mean_confidence: meanOf(memories.map(({ confidence }) => confidence)),
    mean_effectiveness: meanOf(memories.flatMap(({ effectiveness }) => effectiveness ?? [])),
    never_read: memories.filter(({ usage_count }) => usage_count === 0).length,
    tags: [...tags]
      .sort(([a, x], [b, y]) => y - x || compareText(a, b))
      .slice(0, MOST_TAGS)
      .map(([tag, number]) => ({ tag, count: number })),
    first_stored: times('created_at')[0] ?? null,
    last_changed: times('updated_at').at(-1) ?? null,
  };
}

/** To four digits; null of nothing. */
function meanOf(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null;
  const sum = numbers.reduce((all, number) => all + number, 0);
  return Math.round((sum / numbers.length) * 10_000) / 10_000;
}
