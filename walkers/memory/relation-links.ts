import { z } from 'zod';
import {
  type AdjacencyEntry,
  type EdgeRef,
  type HopStep,
  propsOf,
  type ReadContext,
} from '../../runtime/index.js';
import { MEMORY_RELATION_PREFIX, MEMORY_RELATION_SHAPE } from '../../schema/index.js';

/** One relation between two memories as the adjacency of one of them shows it. */
export interface RelationLink {
  /** One of the 35. */
  readonly type: string;
  /** The memory at the other end. */
  readonly far: string;
  readonly direction: 'out' | 'in';
  readonly strength: number;
  /** What {@link relationsBehind} reads it by. */
  readonly step: HopStep;
}

const Inline = z.object({ strength: MEMORY_RELATION_SHAPE.strength });

/**
 * The relations of many memories, in both directions, in their order of creation. One round trip for all of them.
 *
 * @param types Only these; default: all.
 */
export async function linksOf(
  { entries }: Pick<ReadContext, 'entries'>,
  ids: readonly string[],
  types: readonly string[] = [],
): Promise<RelationLink[][]> {
  const wanted = new Set(types);
  const lists = await entries(ids, 'any', null);
  return lists.map((list, at) =>
    list.flatMap((entry) => {
      const type = relationOf(entry);
      if (type === null || (wanted.size > 0 && !wanted.has(type))) return [];
      const direction = entry.outgoing ? 'out' : 'in';
      const { strength } = Inline.parse({ strength: entry.props.strength });
      return [{ type, far: entry.far, direction, strength, step: { node: ids[at] ?? '', entry } }];
    }),
  );
}

function relationOf({ edgeType }: AdjacencyEntry): string | null {
  return edgeType.startsWith(MEMORY_RELATION_PREFIX) ? edgeType.slice(MEMORY_RELATION_PREFIX.length) : null;
}

const Relation = z.object(MEMORY_RELATION_SHAPE);

/** All properties of a relation (S4-23). */
export type RelationProps = z.infer<typeof Relation>;

/** The relations behind links, whole, in their order. */
export async function relationsBehind(
  { entryEdges }: Pick<ReadContext, 'entryEdges'>,
  links: readonly RelationLink[],
): Promise<(RelationProps | null)[]> {
  const edges = await entryEdges(links.map(({ step }) => step));
  return edges.map((edge) => (edge === undefined ? null : relationProps(edge)));
}

/** The ids of the relations behind links, by link. */
export async function relationIds(
  context: Pick<ReadContext, 'entryEdges'>,
  links: readonly RelationLink[],
): Promise<Map<RelationLink, string>> {
  const relations = await relationsBehind(context, links);
  return new Map(links.map((link, at) => [link, relations[at]?.relation_id ?? '']));
}

/** The properties of an edge that is a relation. */
export function relationProps(edge: EdgeRef): RelationProps {
  return Relation.parse(propsOf(edge));
}
