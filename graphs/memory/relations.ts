import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { stripHidden } from '../../present/index.js';
import { compareText, type HopStep, type ReadContext, type WriteContext } from '../../runtime/index.js';
import {
  grouped,
  isoOf,
  MEMORY_RELATION_PREFIX,
  MEMORY_RELATION_SHAPE,
  MEMORY_RELATIONS,
  MEMORY_TYPES,
  Memory,
  type MemoryRelation,
  type MemoryRelationName,
  MemoryRelationVersion,
} from '../../schema/index.js';
import { storedText } from './content.js';
import type { MemoryRef } from './text.js';

/** After every time in ISO 8601. */
export const LAST = '~';

const Relation = z.object(MEMORY_RELATION_SHAPE);

/** All properties of a relation (S4-23). */
export type RelationProps = z.infer<typeof Relation>;

/** One relation between two memories, as the adjacency of one of them shows it. */
export interface RelationLink {
  /** One of the 35. */
  readonly type: string;
  readonly from: string;
  readonly to: string;
  /** The memory at the other end. */
  readonly far: string;
  readonly direction: 'out' | 'in';
  readonly strength: number;
  /** What {@link relationsBehind} reads the properties by. */
  readonly step: HopStep;
}

/**
 * The relations of many memories, in both directions, in their order of creation. One round trip for all of them.
 *
 * @param types Only these; empty: all.
 */
export async function linksOf(
  { entries }: Pick<ReadContext, 'entries'>,
  ids: readonly string[],
  types: readonly string[] = [],
): Promise<RelationLink[][]> {
  const lists = await entries(ids, 'any', null);
  return lists.map((list, at) => {
    const node = ids[at] ?? '';
    return list.flatMap((entry) => {
      const { edgeType, outgoing, far, props } = entry;
      if (!edgeType.startsWith(MEMORY_RELATION_PREFIX)) return [];
      const type = edgeType.slice(MEMORY_RELATION_PREFIX.length);
      if (types.length > 0 && !types.includes(type)) return [];
      const [from, to] = outgoing ? [node, far] : [far, node];
      const strength = MEMORY_RELATION_SHAPE.strength.parse(props.strength);
      return [{ type, from, to, far, direction: outgoing ? 'out' : 'in', strength, step: { node, entry } }];
    });
  });
}

/** A relation with its properties. */
export interface KnownRelation extends Omit<RelationLink, 'step'> {
  readonly props: RelationProps;
}

/** The relations behind links with their properties, in their order. */
export async function relationsBehind(
  { entryEdges }: Pick<ReadContext, 'entryEdges'>,
  links: readonly RelationLink[],
): Promise<KnownRelation[]> {
  const edges = await entryEdges(links.map(({ step }) => step));
  return links.flatMap(({ step: _, ...link }, at) => {
    const edge = edges[at];
    return edge ? [{ ...link, props: relationProps(edge) }] : [];
  });
}

/** The properties of a relation, of all that an edge or a record has. */
export function relationProps(edge: object): RelationProps {
  return Relation.parse(edge);
}

const { relation_id, ...properties } = MEMORY_RELATION_SHAPE;

/** One relation in an answer, as seen from one of its memories. */
export const RelationRow = z.object({
  id: relation_id,
  /** One of the 35. */
  type: z.string(),
  from_memory_id: z.string(),
  to_memory_id: z.string(),
  /** Whether it leaves the memory or reaches it. */
  direction: z.enum(['out', 'in']),
  /** The memory at its other end. */
  memory: z.object({ id: z.string(), type: z.enum(MEMORY_TYPES), title: z.string() }),
  ...properties,
});
export type RelationRow = z.infer<typeof RelationRow>;

/** A relation's type as texts name it: what is only proposed says so. */
export function relationName({ type, proposed }: Pick<RelationRow, 'type' | 'proposed'>): string {
  return proposed ? `${type} (proposed)` : type;
}

/** Relations as rows, each seen from the near end of its link, in their order. */
export async function relationRows(
  context: Pick<ReadContext, 'entryEdges' | 'nodesOf'>,
  links: readonly RelationLink[],
): Promise<RelationRow[]> {
  const relations = await relationsBehind(context, links);
  const ends = await context.nodesOf(
    Memory,
    relations.map(({ far }) => far),
  );
  return relations.flatMap(({ type, from: from_memory_id, to: to_memory_id, direction, props }, at) => {
    const other = ends[at];
    if (!other || other.gone) return [];
    const { relation_id: id, ...rest } = props;
    const memory = { id: other.id, type: other.type, title: stripHidden(other.title) };
    const context = props.context === null ? null : stripHidden(props.context);
    return [{ id, type, from_memory_id, to_memory_id, direction, memory, ...rest, context }];
  });
}

/** All relations of a memory, the strongest first, then by type and other end. */
export async function relationsOf(
  context: Pick<ReadContext, 'entries' | 'entryEdges' | 'nodesOf'>,
  memory: MemoryRef,
): Promise<RelationRow[]> {
  const [links = []] = await linksOf(context, [memory.id]);
  return (await relationRows(context, links)).sort(
    (a, b) => b.strength - a.strength || compareText(`${a.type} ${a.memory.id}`, `${b.type} ${b.memory.id}`),
  );
}

/** What a caller says of a relation; what is left out stays as it is. */
interface GivenRelation {
  readonly strength?: number | undefined;
  readonly confidence?: number | undefined;
  readonly context?: string | undefined;
}

/**
 * Relates two memories, or changes their relation of this type: what it was stays as a version. What was only proposed is
 * asserted with the defaults.
 */
export async function relate(
  context: WriteContext,
  [from, type, to]: readonly [MemoryRef, MemoryRelationName, MemoryRef],
  { strength, confidence, context: text }: GivenRelation,
  proposed = false,
): Promise<{ readonly id: string; readonly created: boolean }> {
  const archetype = MEMORY_RELATIONS[type];
  const known = (await context.q(from).out(archetype).edges()).find((edge) => edge.to === to.id);
  const now = isoOf(context.now());
  const before = known && relationProps(known);
  const stated = before?.proposed ? undefined : before;
  const after = Relation.parse({
    relation_id: `${type}:${from.id}:${to.id}`,
    created_at: now,
    ...before,
    strength: strength ?? stated?.strength,
    confidence: confidence ?? stated?.confidence,
    context: text === undefined ? before?.context : storedText(text),
    proposed,
  });
  if (!known) await context.connect(from, to, archetype(after));
  else if (before && !isDeepStrictEqual(before, after)) {
    await storeRelationVersion(context, { type, from: from.id, to: to.id, props: before }, now);
    context.set<MemoryRelation>(known, after);
  }
  return { id: after.relation_id, created: !known };
}

type RelationState = Pick<KnownRelation, 'type' | 'from' | 'to' | 'props'>;

/** Stores what a relation was, before it is changed or removed. @param now ISO 8601. */
export async function storeRelationVersion(
  { create }: Pick<WriteContext, 'create'>,
  { type, from, to, props }: RelationState,
  now: string,
): Promise<void> {
  const ends = { type, from_memory_id: from, to_memory_id: to, replaced_at: now };
  await create(MemoryRelationVersion({ ...props, ...ends }, { id: `${props.relation_id}@${now}` }));
}

/** Removes a relation; it stays as a version. @param now ISO 8601. */
export async function removeRelation(
  context: WriteContext,
  relation: KnownRelation,
  now: string,
): Promise<void> {
  const { type, from, to } = relation;
  await storeRelationVersion(context, relation, now);
  const ends = await context.nodesOf(Memory, [from, to]);
  await context.disconnect(ends, ends, {
    edge: MEMORY_RELATIONS[type as MemoryRelationName],
    where: { relation_id: relation.props.relation_id },
  });
}

/** A relation on a way, or as it was at a time. */
export const RelationStep = z.object({
  id: z.string(),
  type: z.string(),
  from: z.string(),
  to: z.string(),
  strength: z.number(),
  proposed: MEMORY_RELATION_SHAPE.proposed.unwrap(),
});
export type RelationStep = z.infer<typeof RelationStep>;

/** A relation as a {@link RelationStep}. */
export function relationStep({ type, from, to, props }: RelationState): RelationStep {
  const { relation_id: id, strength, proposed } = props;
  return { id, type, from, to, strength, proposed };
}

/** The relations that a memory had at a time, by their ids. @param time ISO 8601. */
export async function relationsThen(
  context: Pick<ReadContext, 'entries' | 'entryEdges' | 'find'>,
  memory: string,
  time: string,
): Promise<RelationStep[]> {
  const [links = []] = await linksOf(context, [memory]);
  const present = (await relationsBehind(context, links)).map((one) => ({ ...one, replaced_at: null }));
  const earlier = (await relationVersionsOf(context, memory)).map((one) => {
    const { type, from_memory_id: from, to_memory_id: to, replaced_at } = one;
    return { type, from, to, props: one, replaced_at };
  });
  const states = grouped([...earlier, ...present], ({ props }) => props.relation_id);
  const then = [...states.values()].flatMap(
    (all) => stateAt(all, time, ({ props }) => props.created_at) ?? [],
  );
  return then.map(relationStep).sort((a, b) => compareText(a.id, b.id));
}

/** What something was at a time: the state that was replaced first after it, where that had begun by then. */
export function stateAt<S extends { readonly replaced_at: string | null }>(
  states: readonly S[],
  time: string,
  since: (state: S) => string,
): S | undefined {
  const until = ({ replaced_at }: S) => replaced_at ?? LAST;
  const [first] = states.filter((one) => time < until(one)).sort((a, b) => compareText(until(a), until(b)));
  return first && since(first) <= time ? first : undefined;
}

/** All stored versions of a memory's relations. */
export async function relationVersionsOf({ find }: Pick<ReadContext, 'find'>, memory: string) {
  const [out, into] = [{ from_memory_id: memory }, { to_memory_id: memory }];
  return [...(await find(MemoryRelationVersion, out)), ...(await find(MemoryRelationVersion, into))];
}

/** Memories that are looked at on the way: what lies beyond is left out, and the answer says so. */
const MOST_REACHED = 5000;

/** A memory that relations lead to. */
export interface Reached {
  readonly memory: MemoryRef;
  /** The relations of a shortest way, the first one at the start. */
  readonly way: readonly RelationLink[];
}

/**
 * The memories that relations lead to in either direction, each once, by a shortest way, of several by the one whose first
 * relation is the strongest; breadth first, so that cycles end. Ordered by the strength of the first relation, then by
 * importance (S4-30).
 *
 * @param types Only along these relations; empty: along all.
 */
export async function relatedMemories(
  context: Pick<ReadContext, 'entries' | 'nodesOf'>,
  start: string,
  types: readonly string[],
  depth: number,
): Promise<{ readonly reached: readonly Reached[]; readonly isCut: boolean }> {
  const ways = new Map<string, readonly RelationLink[]>([[start, []]]);
  let frontier: readonly string[] = [start];
  for (let distance = 1; distance <= depth && frontier.length > 0; distance++) {
    const next = new Map<string, readonly RelationLink[]>();
    for (const [at, links] of (await linksOf(context, frontier, types)).entries()) {
      const before = ways.get(frontier[at] ?? '') ?? [];
      for (const link of links) {
        if (ways.has(link.far)) continue;
        const [way, other] = [[...before, link], next.get(link.far)];
        if (other === undefined || strengthOf(way) > strengthOf(other)) next.set(link.far, way);
      }
    }
    for (const [id, way] of next) if (ways.size <= MOST_REACHED) ways.set(id, way);
    frontier = [...next.keys()].filter((id) => ways.has(id));
  }
  ways.delete(start);
  const memories = (await context.nodesOf(Memory, [...ways.keys()])).filter(({ gone }) => !gone);
  const reached = memories
    .map((memory) => ({ memory, way: ways.get(memory.id) ?? [] }))
    .sort(
      (a, b) =>
        strengthOf(b.way) - strengthOf(a.way) ||
        b.memory.importance - a.memory.importance ||
        a.way.length - b.way.length ||
        compareText(a.memory.id, b.memory.id),
    );
  return { reached, isCut: ways.size >= MOST_REACHED };
}

function strengthOf([first]: readonly RelationLink[]): number {
  return first?.strength ?? 0;
}
