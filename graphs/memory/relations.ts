import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { quotedLine, shownLine, stripHidden } from '../../present/index.js';
import { compareText, type ReadContext, type WriteContext } from '../../runtime/index.js';
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
import { type MemoryRef, storedText } from './content.js';

/** After every time in ISO 8601. */
export const LAST = '~';

/** All properties of a relation (S4-23). */
export const RelationProps = z.object(MEMORY_RELATION_SHAPE);
export type RelationProps = z.infer<typeof RelationProps>;

/** One relation between two memories, as one of them sees it. */
export interface Relation {
  readonly type: string;
  readonly from: string;
  readonly to: string;
  /** The memory at the other end. */
  readonly far: string;
  readonly direction: 'out' | 'in';
  readonly props: RelationProps;
}

type Look = Pick<ReadContext, 'entries' | 'entryEdges'>;

/**
 * The relations of many memories, in both directions, in their order of creation. Two round trips for all of them.
 *
 * @param types Only these; empty: all.
 */
export async function relationsOf(
  { entries, entryEdges }: Look,
  ids: readonly string[],
  types: readonly string[] = [],
): Promise<Relation[][]> {
  const steps = (await entries(ids, 'any', null)).flatMap((list, at) =>
    list.flatMap((entry) => {
      const [prefix, type] = [MEMORY_RELATION_PREFIX, entry.edgeType.slice(MEMORY_RELATION_PREFIX.length)];
      const isWanted = entry.edgeType.startsWith(prefix) && (types.length === 0 || types.includes(type));
      return isWanted ? [{ at, type, node: ids[at] ?? '', entry }] : [];
    }),
  );
  const found: Relation[][] = ids.map(() => []);
  for (const [index, edge] of (await entryEdges(steps)).entries()) {
    const step = steps[index];
    if (!edge || !step) continue;
    const { from, to } = edge;
    const { far, outgoing } = step.entry;
    const direction = outgoing ? 'out' : 'in';
    found[step.at]?.push({ type: step.type, from, to, far, direction, props: RelationProps.parse(edge) });
  }
  return found;
}

/** Whether outcomes did not refute a relation. */
export function relationHolds({ props }: Relation): boolean {
  return props.counter_evidence_count <= props.validation_count;
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

/** Relations as rows, each seen from its near end, in their order. */
export async function relationRows(
  { nodesOf }: Pick<ReadContext, 'nodesOf'>,
  relations: readonly Relation[],
): Promise<RelationRow[]> {
  const farIds = relations.map(({ far }) => far);
  const ends = await nodesOf(Memory, farIds);
  return relations.flatMap(({ type, from: from_memory_id, to: to_memory_id, direction, props }, at) => {
    const other = ends[at];
    if (!other || other.gone) return [];
    const { relation_id: id, ...rest } = props;
    const memory = { id: other.id, type: other.type, title: stripHidden(other.title) };
    const context = props.context === null ? null : stripHidden(props.context);
    return [{ id, type, from_memory_id, to_memory_id, direction, memory, ...rest, context }];
  });
}

/** What is left out stays as it is. */
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
  const before = known && RelationProps.parse(known);
  const stated = before?.proposed ? undefined : before;
  const after = RelationProps.parse({
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

type RelationState = Omit<Relation, 'far' | 'direction'>;

/** Stores what a relation was, before it is changed or removed. @param now ISO 8601. */
export async function storeRelationVersion(
  { create }: Pick<WriteContext, 'create'>,
  { type, from, to, props }: RelationState,
  now: string,
): Promise<void> {
  const ends = { type, from_memory_id: from, to_memory_id: to, replaced_at: now };
  await create(MemoryRelationVersion({ ...props, ...ends }, { id: `${props.relation_id}@${now}` }));
}

async function removeRelation(context: WriteContext, relation: Relation, now: string): Promise<void> {
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

/** See {@link RelationStep}. */
export function relationStep({ type, from, to, props }: RelationState): RelationStep {
  const { relation_id: id, strength, proposed } = props;
  return { id, type, from, to, strength, proposed };
}

/** The relations that a memory had at a time, by their ids. @param time ISO 8601. */
export async function relationsThen(
  context: Look & Pick<ReadContext, 'find'>,
  memory: string,
  time: string,
): Promise<RelationStep[]> {
  const [relations = []] = await relationsOf(context, [memory]);
  const present = relations.map((one) => ({ ...one, replaced_at: null }));
  const earlier = (await relationVersionsOf(context, memory)).map((one) => {
    const { type, from_memory_id: from, to_memory_id: to, replaced_at } = one;
    return { type, from, to, props: one, replaced_at };
  });
  const states = grouped([...earlier, ...present], ({ props }) => props.relation_id);
  const since = ({ props }: RelationState) => props.created_at;
  const then = [...states.values()].flatMap((all) => stateAt(all, time, since) ?? []);
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

/** What speaks against a memory: relations and outcomes. */
export const StandingRow = z.object({
  state: z.enum(['replaced', 'deprecated', 'contradicted', 'failed', 'ineffective', 'outranked', 'disputed']),
  /** The memory that replaces, contradicts or goes before it; null for outcomes. */
  by: z.object({ id: z.string(), title: z.string() }).nullable(),
});
/** See {@link StandingRow}. */
export type Standing = z.infer<typeof StandingRow>;
type State = Standing['state'];

/** Relations that speak against the memory at one end: `in`, the one they reach. The worst first. */
const AGAINST = [
  { relation: 'REPLACES', direction: 'in', state: 'replaced' },
  { relation: 'DEPRECATED_BY', direction: 'out', state: 'deprecated' },
  { relation: 'CONTRADICTS', direction: 'in', state: 'contradicted' },
  { relation: 'INEFFECTIVE_FOR', direction: 'out', state: 'ineffective' },
  { relation: 'PREFERRED_OVER', direction: 'in', state: 'outranked' },
] as const;
const RELATIONS = AGAINST.map(({ relation }) => relation);

/** The worst state first: its text, and the share of its score that a memory keeps. */
const STATES: Readonly<Record<State, { readonly text: string; readonly share: number }>> = {
  replaced: { text: 'replaced by', share: 0.4 },
  deprecated: { text: 'deprecated by', share: 0.4 },
  contradicted: { text: 'contradicted by', share: 0.5 },
  failed: { text: 'failed more often than it held', share: 0.6 },
  ineffective: { text: 'ineffective for', share: 0.7 },
  outranked: { text: 'less preferred than', share: 0.8 },
  disputed: { text: 'may be contradicted (proposed) by', share: 1 },
};
const ORDER = Object.keys(STATES) as State[];

type StandingLook = Pick<ReadContext, 'entries' | 'entryEdges' | 'nodesOf' | 'counts'>;

/** How memories stand, by id; those against which nothing speaks are left out. */
export async function standingsOf(
  context: StandingLook,
  memories: readonly MemoryRef[],
): Promise<Map<string, Standing>> {
  const found = new Map<string, { readonly state: State; readonly by: string | null }>();
  const add = (id: string, state: State, by: string | null) => {
    const known = found.get(id);
    if (!known || ORDER.indexOf(state) < ORDER.indexOf(known.state)) found.set(id, { state, by });
  };
  for (const { id, counter_evidence_count: against, validation_count } of memories)
    if (against > validation_count) add(id, 'failed', null);
  const { edges } = await context.counts();
  if (RELATIONS.some((name) => edges.has(MEMORY_RELATION_PREFIX + name))) {
    const ids = memories.map(({ id }) => id);
    const all = await relationsThatHold(context, ids, RELATIONS);
    const contrary = all.flatMap(({ type, far }) => (type === 'CONTRADICTS' ? [far] : []));
    const ruleOf = ({ type, direction }: Relation) =>
      AGAINST.find((one) => one.relation === type && one.direction === direction);
    const nearOf = ({ direction, from, to }: Relation) => (direction === 'in' ? to : from);
    const successions = await relationsThatHold(context, contrary, ['REPLACES', 'DEPRECATED_BY']);
    const givenUp = new Set(successions.filter(ruleOf).map(nearOf));
    // A memory that is given up contradicts nobody.
    const relations = all.filter(({ type, far }) => type !== 'CONTRADICTS' || !givenUp.has(far));
    const pairOf = ({ from, to }: Relation) => [from, to].sort().join('\n');
    const asserted = new Set(relations.filter(({ props }) => !props.proposed).map(pairOf));
    for (const relation of relations) {
      const { far, props } = relation;
      const [rule, near] = [ruleOf(relation), nearOf(relation)];
      if (!props.proposed && rule) add(near, rule.state, far);
      // An assertion about the same two memories settles what was proposed.
      if (props.proposed && !asserted.has(pairOf(relation))) add(near, 'disputed', far);
    }
  }
  const others = [...new Set([...found.values()].flatMap(({ by }) => by ?? []))];
  const titles = new Map((await context.nodesOf(Memory, others)).map(({ id, title }) => [id, title]));
  const named = (id: string) => ({ id, title: shownLine(titles.get(id) ?? '', 200) });
  return new Map(
    [...found].map(([id, { state, by }]) => [id, { state, by: by === null ? null : named(by) }]),
  );
}

async function relationsThatHold(context: Look, ids: readonly string[], types: readonly string[]) {
  return (await relationsOf(context, ids, types)).flat().filter(relationHolds);
}

/**
 * Proposes that a memory contradicts others, and withdraws what was proposed of any but these. A memory that is replaced or
 * deprecated contradicts nobody.
 *
 * @returns Those of them of which no relation says how the two stand.
 */
export async function proposeContradictions(
  context: WriteContext,
  memory: MemoryRef,
  others: readonly MemoryRef[],
): Promise<MemoryRef[]> {
  const [relations = []] = await relationsOf(context, [memory.id], RELATIONS);
  const now = isoOf(context.now());
  for (const relation of relations)
    if (relation.props.proposed && !others.some(({ id }) => id === relation.far))
      await removeRelation(context, relation, now);
  const standings = await standingsOf(context, [memory, ...others]);
  if (isGivenUp(standings.get(memory.id))) return [];
  const asserted = relations.filter(({ props }) => !props.proposed);
  const unsettled = others.filter(
    ({ id }) => !isGivenUp(standings.get(id)) && !asserted.some(({ far }) => far === id),
  );
  for (const other of unsettled)
    if (!relations.some(({ far }) => far === other.id))
      await relate(context, [memory, 'CONTRADICTS', other], { strength: 0.3, confidence: 0.3 }, true);
  return unsettled;
}

/** Whether a memory is replaced or deprecated. */
export function isGivenUp(standing: Standing | undefined): boolean {
  return standing?.state === 'replaced' || standing?.state === 'deprecated';
}

/** The share of its score that a memory keeps in a ranking: 1 where nothing speaks against it. */
export function shareOf(standing: Standing | undefined): number {
  return standing ? STATES[standing.state].share : 1;
}

/**
 * A standing in words: `replaced by 01k… 'title'`; empty where nothing speaks against the memory.
 *
 * @param title Whether the other memory's title is shown: it is data, so only where data is quoted.
 */
export function standingText(standing: Standing | undefined, title = true): string {
  if (!standing) return '';
  const { state, by } = standing;
  const shown = by && title ? ` '${quotedLine(by.title, 100)}'` : '';
  return by === null ? STATES[state].text : `${STATES[state].text} ${shownLine(by.id)}${shown}`;
}
