import { compareText, type NodeRef, type ReadContext } from '../../runtime/index.js';
import { Memory } from '../../schema/index.js';
import { linksOf, type RelationLink } from './relation-links.js';

/** Memories that are looked at on the way: a denser web than this is cut, and said to be. */
const MOST_REACHED = 5000;

/** A memory that relations lead to. */
export interface Reached {
  readonly memory: NodeRef<typeof Memory>;
  /** Relations on the shortest way. */
  readonly distance: number;
  /** The relations of the way, the first one leaving the start. */
  readonly way: readonly RelationLink[];
}

/** What {@link relatedMemories} found. */
export interface ReachedMemories {
  /** The strongest first relation first, then the most important (S4-30). */
  readonly reached: readonly Reached[];
  /** Whether there was more than is looked at. */
  readonly cut: boolean;
}

/**
 * The memories that relations lead to in either direction, each once, by a shortest way, among such by the one whose
 * first relation is the strongest. Breadth first, so that a web of cycles ends.
 *
 * @param types Only along these relations; empty: along all.
 */
export async function relatedMemories(
  context: Pick<ReadContext, 'entries' | 'nodesOf'>,
  start: string,
  types: readonly string[],
  depth: number,
): Promise<ReachedMemories> {
  const ways = new Map<string, readonly RelationLink[]>([[start, []]]);
  let frontier: readonly string[] = [start];
  for (let distance = 1; distance <= depth && frontier.length > 0; distance++) {
    const next = new Map<string, readonly RelationLink[]>();
    for (const [at, links] of (await linksOf(context, frontier, types)).entries()) {
      const before = ways.get(frontier[at] ?? '') ?? [];
      for (const link of links) {
        if (ways.has(link.far)) continue;
        const [way, other] = [[...before, link], next.get(link.far)];
        if (other === undefined || firstStrength(way) > firstStrength(other)) next.set(link.far, way);
      }
    }
    for (const [id, way] of next) if (ways.size <= MOST_REACHED) ways.set(id, way);
    frontier = [...next.keys()].filter((id) => ways.has(id));
  }
  ways.delete(start);
  const memories = await context.nodesOf(Memory, [...ways.keys()]);
  const reached = memories.flatMap((memory) => {
    const way = ways.get(memory.id) ?? [];
    return memory.gone ? [] : [{ memory, distance: way.length, way }];
  });
  return { reached: reached.sort(byStrength), cut: ways.size >= MOST_REACHED };
}

function byStrength(a: Reached, b: Reached): number {
  return (
    firstStrength(b.way) - firstStrength(a.way) ||
    b.memory.importance - a.memory.importance ||
    a.distance - b.distance ||
    compareText(a.memory.id, b.memory.id)
  );
}

function firstStrength([first]: readonly RelationLink[]): number {
  return first?.strength ?? 0;
}
