import { z } from 'zod';
import { compareText, defineWalker, type ReadContext } from '../../../runtime/index.js';
import { append } from '../../../schema/index.js';
import { isNamed } from '../../find-symbol.js';
import { callerHops } from '../parts/calls.js';
import { qualifiedName } from '../parts/code-node.js';
import { type CallThrough, callsThrough } from '../parts/dispatch.js';

/**
 * Walks against the calls, a call at a time, those through base classes and interfaces included. Reports the calls that
 * reach something nearer through another member.
 */
export const CallersWalk = defineWalker('callers_walk', {
  input: {
    max_depth: z.number(),
    /** Starts that no call through another member reaches. */
    plain: z.array(z.string()).default([]),
  },
  report: z.custom<CallThrough>(),
  on: (w) => [
    w.frontier(async (ids, ctx) => {
      const { max_depth, plain } = ctx.state;
      if (ctx.depth === max_depth) return;
      const here = new Set(ids);
      const dispatched = ctx.depth === 0 ? ids.filter((id) => !plain.includes(id)) : ids;
      const calls = await callsThrough(ctx, dispatched);
      const through = calls.filter(
        ({ from, to }) => !here.has(to) && ctx.reached.distance(from) === undefined,
      );
      for (const call of through) ctx.report(call);
      // Of several ways the direct one, then the one whose nodes have the smallest ids.
      const direct = await callerHops(ctx, ids.toSorted(compareText));
      const indirect = through.map(({ from, reaches }) => ({ from: reaches, to: from, isIndirect: true }));
      await ctx.visit([...direct, ...indirect]);
    }),
  ],
});

/** Everything that calls some targets. */
export interface Reach {
  readonly targets: ReadonlySet<string>;
  /** The callers; a target too, where calls lead from it to one. */
  readonly ids: readonly string[];
  /** How many calls away from the nearest target a caller is. */
  distance(id: string): number | undefined;
  /** Whether it reaches a target through another member alone. */
  isIndirect(id: string): boolean;
  /** A shortest chain of calls: the caller first, a target last. */
  path(id: string): string[];
  /** By the caller's id: its calls that reach something one call nearer to a target through another member. */
  readonly through: ReadonlyMap<string, readonly CallThrough[]>;
}

/** Finds all callers up to so many calls away. @param plain See {@link CallersWalk}. */
export async function reachOf(
  context: Pick<ReadContext, 'spawn'>,
  targets: readonly string[],
  max_depth: number,
  plain: string[] = [],
): Promise<Reach> {
  const { reached, reports } = await context.spawn(CallersWalk, targets, { max_depth, plain });
  const through = new Map<string, CallThrough[]>();
  for (const call of reports) append(through, call.from, call);
  return {
    targets: new Set(targets),
    ids: reached.ids,
    distance: (id) => reached.distance(id),
    isIndirect: (id) => 'isIndirect' in (reached.hop(id) ?? {}),
    path: (id) => reached.path(id),
    through,
  };
}

/** The qualified names of nodes, by id. */
export async function namesOf(
  { nodes }: Pick<ReadContext, 'nodes'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = (await nodes([...new Set(ids)])).filter((node) => node !== undefined);
  return new Map(found.filter(isNamed).map((node) => [node.id, qualifiedName(node)]));
}
