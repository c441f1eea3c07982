import type { ReadContext } from '../../../runtime/index.js';
import { SymbolExtendsSymbol, SymbolImplementsSymbol } from '../../../schema/index.js';

/** How one class stands above another. */
export const RELATIONS = ['extends', 'implements'] as const;
/** One of {@link RELATIONS}. */
export type Relation = (typeof RELATIONS)[number];

/** A class and one that it extends or implements, by their ids. */
export interface InheritanceLink {
  readonly child: string;
  readonly parent: string;
  readonly relation: Relation;
}

/** Towards the bases, or towards those who have them. */
export type Way = 'up' | 'down';

const EDGES = { extends: SymbolExtendsSymbol, implements: SymbolImplementsSymbol } as const;

/**
 * All links that a walk from some classes meets within so many steps, each once: nearest first, of a class those that
 * it extends before those that it implements, by their lines and ids. What lies outside of the project is a link's parent
 * like any other.
 *
 * @param most Once there are so many, no further step is taken. Default: no bound.
 */
export async function inheritanceLinks(
  { entries }: Pick<ReadContext, 'entries'>,
  starts: readonly string[],
  way: Way,
  depth: number,
  most = Number.POSITIVE_INFINITY,
): Promise<InheritanceLink[]> {
  const links: InheritanceLink[] = [];
  const seen = new Set(starts);
  let frontier = [...seen];
  for (let step = 0; step < depth && frontier.length > 0 && links.length < most; step++) {
    const next: string[] = [];
    const found = await Promise.all(
      RELATIONS.map((relation) => entries(frontier, way === 'up' ? 'out' : 'in', EDGES[relation])),
    );
    for (const [at, here] of frontier.entries())
      for (const [which, relation] of RELATIONS.entries())
        for (const { far } of found[which]?.[at] ?? []) {
          const [child, parent] = way === 'up' ? [here, far] : [far, here];
          links.push({ child, parent, relation });
          if (!seen.has(far)) next.push(far);
          seen.add(far);
        }
    frontier = next;
  }
  return links;
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
    const known = steps.get(from) ?? [];
    if (!known.some((step) => step.to === to)) steps.set(from, [...known, { to, relation }]);
  }
  return steps;
}
