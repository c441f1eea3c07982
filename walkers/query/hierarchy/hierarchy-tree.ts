import { z } from 'zod';
import type { Relation, Step, Way } from '../inheritance/inheritance-links.js';

/** A class in the tree, and those that it leads to (S0-29). */
export interface HierarchyTree {
  /** Qualified; of what is outside of the project as it is known. */
  name: string;
  /** Steps from the class that was asked for, which has 0. */
  depth: number;
  /** `up` for ancestors, `down` for descendants; absent at the root. */
  direction?: Way | undefined;
  relation?: Relation | undefined;
  /** True for a base outside of the project: nothing is known of what is above it. */
  external?: boolean | undefined;
  /** True where its own branches stand at another place in the tree: a diamond or a circle. */
  repeated?: boolean | undefined;
  children: HierarchyTree[];
}

/** See {@link HierarchyTree}: the root, whose branches are of the same shape. */
export const HierarchyTree = z.object({
  name: z.string(),
  depth: z.number().int(),
  children: z.array(z.custom<HierarchyTree>((value) => typeof value === 'object' && value !== null)),
});

/** What a tree is made of. */
export interface TreeParts {
  readonly steps: Readonly<Record<Way, ReadonlyMap<string, readonly Step[]>>>;
  readonly maxDepth: number;
  /** Whether a class has a row; one without stands in the tree where it leads to one that has. */
  readonly isShown: (id: string) => boolean;
  readonly isExternal: (id: string) => boolean;
  readonly nameOf: (id: string) => string;
}

/** The tree of one class: ancestors first, then descendants. Each class unfolds once on each way, where it is nearest. */
export function hierarchyTree(start: string, parts: TreeParts): HierarchyTree {
  const ways: readonly Way[] = ['up', 'down'];
  return {
    name: parts.nameOf(start),
    depth: 0,
    children: ways.flatMap((way) => branches(start, way, parts)),
  };
}

/** Several trees as one, where a name leads to several classes. */
export function joinedTree(name: string, trees: readonly HierarchyTree[]): HierarchyTree {
  const [first] = trees;
  return first && trees.length === 1 ? first : { name, depth: 0, children: [...trees] };
}

function branches(start: string, direction: Way, parts: TreeParts): HierarchyTree[] {
  const { steps, maxDepth, isShown, isExternal, nameOf } = parts;
  const unfolded = unfolding(start, steps[direction], maxDepth);
  const below = (here: string, depth: number): HierarchyTree[] =>
    (steps[direction].get(here) ?? []).flatMap(({ to, relation }) => {
      if (depth > maxDepth) return [];
      const isUnfolded = unfolded.get(to) === here;
      const children = isUnfolded ? below(to, depth + 1) : [];
      if (children.length === 0 && !isShown(to)) return [];
      const isRepeated = !isUnfolded && (to === start || (steps[direction].get(to) ?? []).length > 0);
      return [
        {
          name: nameOf(to),
          depth,
          direction,
          relation,
          ...(isExternal(to) ? { external: true } : {}),
          ...(isRepeated ? { repeated: true } : {}),
          children,
        },
      ];
    });
  return below(start, 1);
}

/** Under which class each unfolds: the first that leads to it, nearest first. */
function unfolding(
  start: string,
  steps: ReadonlyMap<string, readonly Step[]>,
  maxDepth: number,
): ReadonlyMap<string, string | null> {
  const under = new Map<string, string | null>([[start, null]]);
  let frontier = [start];
  for (let depth = 1; depth <= maxDepth && frontier.length > 0; depth++) {
    const next: string[] = [];
    for (const here of frontier)
      for (const { to } of steps.get(here) ?? [])
        if (!under.has(to)) {
          under.set(to, here);
          next.push(to);
        }
    frontier = next;
  }
  return under;
}
