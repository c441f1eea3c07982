import { z } from 'zod';
import { quotedLine, shownLine } from '../../present/index.js';
import type { ReadContext, WriteContext } from '../../runtime/index.js';
import { isoOf, MEMORY_RELATION_PREFIX, Memory } from '../../schema/index.js';
import { type Relation, relate, relationsOf, removeRelation } from './relations.js';
import { byImportance, type MemoryFilter, passing } from './select.js';
import type { MemoryRef } from './text.js';

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

type Look = Pick<ReadContext, 'entries' | 'entryEdges' | 'nodesOf' | 'counts'>;

/** How memories stand, by id; those against which nothing speaks are left out. */
export async function standingsOf(
  context: Look,
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
  return new Map(
    [...found].map(([id, { state, by }]) => [
      id,
      { state, by: by === null ? null : { id: by, title: shownLine(titles.get(by) ?? '', 200) } },
    ]),
  );
}

/** The relations of memories of some types, without those that outcomes refuted. */
async function relationsThatHold(
  context: Look,
  ids: readonly string[],
  types: readonly string[],
): Promise<Relation[]> {
  const relations = (await relationsOf(context, ids, types)).flat();
  return relations.filter(({ props }) => props.counter_evidence_count <= props.validation_count);
}

const PROPOSED = { strength: 0.3, confidence: 0.3 };

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
      await relate(context, [memory, 'CONTRADICTS', other], PROPOSED, true);
  return unsettled;
}

function isGivenUp(standing: Standing | undefined): boolean {
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

/** A memory with its score: from 0 to 1. */
export interface ScoredMemory {
  readonly memory: MemoryRef;
  readonly score: number;
}

/** Steps from a memory to what replaced it, then to what replaced that, that are followed. */
const MOST_STEPS = 5;

/**
 * Ranks memories down against which something speaks, and puts those that replace others where these were: also where
 * their words match less or not at all. The best first; ties by importance.
 */
export async function rankedByStanding(
  context: Look,
  hits: readonly ScoredMemory[],
  filter: MemoryFilter,
): Promise<ScoredMemory[]> {
  const scores = new Map(hits.map((hit) => [hit.memory.id, hit]));
  const standings = new Map<string, Standing>();
  let fresh = [...hits];
  for (let step = 0; step < MOST_STEPS && fresh.length > 0; step++) {
    const replacing = new Map<string, number>();
    const found = await standingsOf(
      context,
      fresh.map(({ memory }) => memory),
    );
    for (const [id, standing] of found) {
      standings.set(id, standing);
      const { by } = standing;
      const score = scores.get(id)?.score ?? 0;
      if (by && isGivenUp(standing)) replacing.set(by.id, Math.max(score, replacing.get(by.id) ?? 0));
    }
    fresh = [];
    for (const memory of await passing(context, [...replacing.keys()], filter)) {
      const known = scores.get(memory.id);
      const hit = { memory, score: Math.max(known?.score ?? 0, replacing.get(memory.id) ?? 0) };
      if (!known || hit.score > known.score) {
        scores.set(memory.id, hit);
        fresh.push(hit);
      }
    }
  }
  return [...scores.values()]
    .map(({ memory, score }) => ({ memory, score: score * shareOf(standings.get(memory.id)) }))
    .sort((a, b) => b.score - a.score || byImportance(a.memory, b.memory));
}
