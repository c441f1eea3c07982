import {
  breadthFirst,
  type EdgeType,
  type Hop,
  type Reached,
  type ReadContext,
  type SearchBounds,
} from '../../../runtime/index.js';
import {
  FileImports,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolMayCallSymbol,
  SymbolReferencesSymbol,
  SymbolTestsSymbol,
} from '../../../schema/index.js';
import { callsThrough, overridingMembers } from '../parts/dispatch.js';

/**
 * How something depends on what it leads to: it calls it, overrides it, extends it, implements it, is a route that runs
 * it, names it as a type, uses it otherwise (reads, passes, decorates with it), or imports its module.
 */
export const RELATIONS = [
  'caller',
  'route',
  'override',
  'subclass',
  'implementation',
  'type',
  'use',
  'import',
] as const;
/** One of {@link RELATIONS}. */
export type Relation = (typeof RELATIONS)[number];

/** A step to something that depends on what a search came from. */
export interface Dependent extends Hop {
  readonly relation: Relation;
  /** Whether it is a candidate: an ambiguous call, or one that may run another member of the hierarchy. */
  readonly may: boolean;
}

type Look = Pick<ReadContext, 'entries' | 'entryEdges' | 'nodesOf'>;
type Props = Readonly<Record<string, unknown>>;
/** What an edge means for the node that it comes from; null: nothing. */
type Step = (props: Props, from: string, to: string) => Omit<Dependent, 'from' | 'to'> | null;

/** The relations that a search does not go on from: what depends on such a node does not depend on what it depends on. */
const LAST: ReadonlySet<Relation> = new Set(['route', 'override', 'type', 'import']);

/**
 * Everything that may break where these change: callers, also through an overridden member, and routes; what
 * overrides, extends or implements them; what uses them otherwise. Each once, nearest first.
 */
export function dependentsOf(
  context: Look,
  starts: readonly string[],
  bounds: SearchBounds,
): Promise<Reached<Dependent>> {
  const last = new Set<string>();
  return breadthFirst(
    starts,
    async (frontier) => {
      const ids = frontier.filter((id) => !last.has(id));
      const over = await overridingMembers(context, ids);
      const hops = [
        ...(await hopsInto(context, ids, [
          [SymbolCallsSymbol, () => ({ relation: 'caller', may: false })],
          [SymbolExtendsSymbol, () => ({ relation: 'subclass', may: false })],
          [SymbolImplementsSymbol, () => ({ relation: 'implementation', may: false })],
          [SymbolReferencesSymbol, ({ access }) => ({ relation: relationOf(access), may: false })],
          [FileImports, () => ({ relation: 'import', may: false })],
          [SymbolMayCallSymbol, () => ({ relation: 'caller', may: true })],
        ])),
        ...[...over].flatMap(([from, members]) =>
          members.map((to): Dependent => ({ from, to, relation: 'override', may: false })),
        ),
        ...(await throughHierarchy(context, ids)),
      ];
      for (const { to, relation } of hops) if (LAST.has(relation)) last.add(to);
      return hops;
    },
    bounds,
  );
}

function relationOf(access: unknown): Relation {
  if (access === 'run') return 'route';
  return access === 'type' ? 'type' : 'use';
}

/** The hops against edges of some types, those of the first type first. */
async function hopsInto(
  { entries }: Look,
  ids: readonly string[],
  types: readonly (readonly [EdgeType, Step])[],
): Promise<Dependent[]> {
  const hops: Dependent[] = [];
  for (const [type, step] of types) {
    const into = await entries(ids, 'in', type);
    for (const [at, from] of ids.entries())
      for (const { far: to, props } of into[at] ?? []) {
        const hop = step(props, from, to);
        if (hop) hops.push({ from, to, ...hop });
      }
  }
  return hops;
}

async function throughHierarchy(context: Look, ids: readonly string[]): Promise<Dependent[]> {
  const calls = await callsThrough(context, ids);
  return calls.map(({ from: to, reaches: from }) => ({ from, to, relation: 'caller', may: true }));
}

/**
 * Everything whose run comes to these: tests that exercise them, callers, routes, functions around them, and what reads
 * them as a value. A hop that is no call costs more than a call.
 */
export function reachingCode(
  context: Look,
  starts: readonly string[],
  bounds: SearchBounds,
): Promise<Reached<Dependent>> {
  return breadthFirst(
    starts,
    async (frontier) => {
      const ids = frontier.filter((id) => parseId(id)?.form !== 'test');
      return [
        ...(await hopsInto(context, ids, [
          [
            SymbolTestsSymbol,
            ({ distance, via }) => called(Number(distance) + (via === 'reference' ? 1 : 0)),
          ],
          [SymbolCallsSymbol, () => called(1)],
          [SymbolReferencesSymbol, ({ access }) => USED[String(access)] ?? null],
          // Who calls a function makes what is inside it.
          [SymbolContainsSymbol, (_, __, to) => (parseId(to)?.form === 'cls' ? null : called(1))],
        ])),
        ...(await throughHierarchy(context, ids)),
      ];
    },
    bounds,
  );
}

const called = (cost: number) => ({ relation: 'caller' as const, may: false, cost });
/** What a use of each access means for what runs. */
const USED: Readonly<Record<string, Omit<Dependent, 'from' | 'to'>>> = {
  run: { relation: 'route', may: false, cost: 1 },
  read: { relation: 'use', may: false, cost: 2 },
};
