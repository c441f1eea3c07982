import { z } from 'zod';
import { type MemoryRef, type Relation, relationHolds, relationsOf } from '../../graphs/memory/index.js';
import { compareText, defineWalker, type ReadContext } from '../../runtime/index.js';
import { Memory } from '../../schema/index.js';

/** Memories that are looked at on the way: what lies beyond is left out, and the answer says so. */
const MOST_REACHED = 5000;

/**
 * Walks along relations, to each memory by a shortest way; of several by the one whose first relation is the strongest. It
 * runs inside of other walks.
 */
const RelationsWalk = defineWalker('relations_walk', {
  input: {
    /** Empty: all. */
    types: z.array(z.string()),
    /** `forward`: only in their direction, and only those that no outcome refuted. */
    way: z.enum(['any', 'forward']),
    max_depth: z.number(),
    max_reached: z.number(),
  },
  /** By the id of a memory: the last relation on the way to it, and the strength of the first. */
  state: () => ({ last: new Map<string, Relation>(), strengths: new Map<string, number>() }),
  on: (w) => [
    w.frontier(async (ids, ctx) => {
      const { types, way, max_depth, max_reached, last, strengths } = ctx.state;
      if (ctx.depth === max_depth || ctx.reached.size >= max_reached) return;
      const near = ids.toSorted(compareText);
      const starts = ctx.reached.starts;
      const follows = (one: Relation) =>
        !starts.includes(one.far) && (way === 'any' || (one.direction === 'out' && relationHolds(one)));
      const hops = (await relationsOf(ctx, near, types)).flatMap((relations, at) =>
        relations.filter(follows).map((relation) => {
          const from = near[at] ?? '';
          const strength = strengths.get(from) ?? relation.props.strength;
          return { from, to: relation.far, relation, strength };
        }),
      );
      hops.sort((a, b) => b.strength - a.strength);
      for (const { to, relation, strength } of hops) {
        if (last.has(to)) continue;
        last.set(to, relation);
        strengths.set(to, strength);
      }
      await ctx.visit(hops);
    }),
  ],
});

/** A memory that relations lead to. */
interface Related {
  readonly memory: MemoryRef;
  /** The relations of a shortest way, the first one at the start. */
  readonly way: readonly Relation[];
}

/**
 * The memories that relations lead to in either direction, ordered by the strength of the first relation on the way, then by
 * importance (S4-30).
 *
 * @param types Only along these relations; empty: along all.
 * @returns `isCut`: there may be more.
 */
export async function relatedMemories(
  context: ReadContext,
  start: string,
  types: string[],
  max_depth: number,
): Promise<{ readonly related: readonly Related[]; readonly isCut: boolean }> {
  const input = { types, way: 'any' as const, max_depth, max_reached: MOST_REACHED };
  const { reached, state } = await context.spawn(RelationsWalk, start, input);
  const strengthOf = ({ id }: MemoryRef) => state.strengths.get(id) ?? 0;
  const wayTo = (id: string) =>
    reached
      .path(id)
      .toReversed()
      .flatMap((one) => state.last.get(one) ?? []);
  const memories = await context.nodesOf(Memory, reached.ids.slice(0, MOST_REACHED));
  const related = memories
    .filter(({ gone }) => !gone)
    .map((memory) => ({ memory, way: wayTo(memory.id) }))
    .sort(
      (a, b) =>
        strengthOf(b.memory) - strengthOf(a.memory) ||
        b.memory.importance - a.memory.importance ||
        a.way.length - b.way.length ||
        compareText(a.memory.id, b.memory.id),
    );
  return { related, isCut: reached.size >= MOST_REACHED };
}

/** The last of the relations over which one memory replaces another; undefined: it does not. */
export async function replacedOver(
  context: ReadContext,
  memory: string,
  replaced: string,
): Promise<Relation | undefined> {
  const all = Number.MAX_SAFE_INTEGER;
  const input = { types: ['REPLACES'], way: 'forward' as const, max_depth: all, max_reached: all };
  return (await context.spawn(RelationsWalk, memory, input)).state.last.get(replaced);
}
