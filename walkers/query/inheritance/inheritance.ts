import { z } from 'zod';
import { compareText, defineWalker, type NodeRef, type ReadContext } from '../../../runtime/index.js';
import {
  append,
  type CodeSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
} from '../../../schema/index.js';
import { ClassNode, classNode } from '../parts/code-node.js';
import { targetField } from '../parts/target-row.js';

/** How one class stands above another. */
const RELATIONS = ['extends', 'implements'] as const;
/** One of {@link RELATIONS}. */
export type Relation = (typeof RELATIONS)[number];

const EDGES = { extends: SymbolExtendsSymbol, implements: SymbolImplementsSymbol } as const;

/** A class and one that it extends or implements, by their ids. */
export interface InheritanceLink {
  readonly child: string;
  readonly parent: string;
  readonly relation: Relation;
}

/** Towards the bases, or towards those who have them. */
export type Way = 'up' | 'down';

/** Walks along inheritance and gathers every link that it meets. It runs inside of other walks: its links are no reports of theirs. */
const InheritanceWalk = defineWalker('inheritance_walk', {
  input: { way: z.enum(['up', 'down']), max_depth: z.number(), max_links: z.number() },
  state: () => ({ links: [] as InheritanceLink[] }),
  on: (w) => [
    w.frontier(async (ids, ctx) => {
      const { way, max_depth, max_links } = ctx.state;
      if (ctx.depth === max_depth || ctx.state.links.length >= max_links) return;
      const found = await Promise.all(
        RELATIONS.map((relation) => ctx.entries(ids, way === 'up' ? 'out' : 'in', EDGES[relation])),
      );
      const hops = ids.flatMap((from, at) =>
        RELATIONS.flatMap((relation, which) =>
          (found[which]?.[at] ?? []).map(({ far }) => ({ from, to: far, relation })),
        ),
      );
      for (const { from, to, relation } of hops) {
        const [child, parent] = way === 'up' ? [from, to] : [to, from];
        ctx.state.links.push({ child, parent, relation });
      }
      await ctx.visit(hops);
    }),
  ],
});

/** What a walk along inheritance from some classes found. */
export interface Lineage {
  /**
   * All links, each once: nearest first, of a class those that it extends before those that it implements, by their lines
   * and ids. What lies outside of the project is a link's parent like any other.
   */
  readonly links: readonly InheritanceLink[];
  /** Whom the classes lead to, but for themselves, nearest first. */
  readonly relatives: readonly Relative[];
  /** The class that the walk came to one from; null for a start. */
  before(id: string): string | null;
}

/** A class that others lead to. */
export interface Relative {
  readonly id: string;
  /** Steps from the nearest class that was asked for: 1 is direct. */
  readonly depth: number;
  /** How the last of these steps stands in the source. */
  readonly relation: Relation;
  /** The place of the class that was asked for among several. */
  readonly target?: number;
}

/** Follows inheritance from some classes. @param most Once there are so many links, no further step is taken. */
export async function lineageOf(
  context: Pick<ReadContext, 'spawn'>,
  starts: readonly string[],
  way: Way,
  max_depth: number,
  max_links = Number.MAX_SAFE_INTEGER,
): Promise<Lineage> {
  const { reached, state } = await context.spawn(InheritanceWalk, starts, { way, max_depth, max_links });
  const relatives = () =>
    reached.ids.flatMap((id) => {
      const { relation } = reached.hop(id) as unknown as { relation: Relation };
      return starts.includes(id) ? [] : [{ id, depth: reached.distance(id) ?? 0, relation }];
    });
  return {
    links: state.links,
    get relatives() {
      return relatives();
    },
    before: (id) => (starts.includes(id) ? null : (reached.hop(id)?.from ?? null)),
  };
}

/** The lineage of each of some classes on a way, and all their links together. */
export async function lineages(
  context: Pick<ReadContext, 'spawn'>,
  starts: readonly string[],
  way: Way,
  max_depth: number,
): Promise<{ of: ReadonlyMap<string, Lineage>; links: readonly InheritanceLink[] }> {
  const of = new Map<string, Lineage>();
  for (const start of starts) of.set(start, await lineageOf(context, [start], way, max_depth));
  const links = [...of.values()].flatMap((one) => one.links);
  return { of, links: [...new Map(links.map((link) => [Object.values(link).join('\n'), link])).values()] };
}

/** The relatives of some classes, each with its shortest distance, nearest first, then by id. */
export function relativesOf(starts: readonly string[], of: ReadonlyMap<string, Lineage>): Relative[] {
  const found = new Map<string, Relative>();
  for (const start of starts)
    for (const relative of of.get(start)?.relatives ?? [])
      if (relative.depth < (found.get(relative.id)?.depth ?? Number.POSITIVE_INFINITY))
        found.set(relative.id, relative);
  return [...found.values()].sort((a, b) => a.depth - b.depth || compareText(a.id, b.id));
}

/** One step away from a class. */
export interface Step {
  readonly to: string;
  readonly relation: Relation;
}

/** Where the links lead from each class, on one way. */
export function stepsOf(links: readonly InheritanceLink[], way: Way): ReadonlyMap<string, readonly Step[]> {
  const steps = new Map<string, Step[]>();
  for (const { child, parent, relation } of links) {
    const [from, to] = way === 'up' ? [child, parent] : [parent, child];
    if (!steps.get(from)?.some((step) => step.to === to)) append(steps, from, { to, relation });
  }
  return steps;
}

/** A class with how it stands to the one that was asked for. */
export const RelatedClass = ClassNode.extend({
  /** Steps from it: 1 is direct. */
  depth: z.number().int(),
  /** Of the last step, child to parent. */
  relation: z.enum(RELATIONS),
  ...targetField,
});
export type RelatedClass = z.infer<typeof RelatedClass>;

/** A relative with its node. */
export interface FoundRelative extends Relative {
  readonly node: NodeRef<typeof CodeSymbol>;
}

/** Its row. */
export function relatedClass({ node, depth, relation, target }: FoundRelative): RelatedClass {
  return { ...classNode(node), depth, relation, ...(target === undefined ? {} : { target }) };
}
