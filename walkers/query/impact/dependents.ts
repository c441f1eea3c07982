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
import { isTestPath } from '../../../source/index.js';
import { isConstructorId } from '../../constructors.js';
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
 * Everything whose run comes to these: tests that exercise them, callers, routes. A hop that is no call has the relation
 * `use`, and costs more where it says less: to the function around a function, to what reads it as a value, and, of a
 * member that nothing calls by its name, to the class that somebody makes an instance of.
 *
 * @param isWide Whether that goes for all members: who has an instance may call them in ways that are not known.
 */
export function reachingCode(
  context: Look,
  starts: readonly string[],
  bounds: SearchBounds,
  isWide = false,
): Promise<Reached<Dependent>> {
  return breadthFirst(
    starts,
    async (frontier) => {
      const ids = frontier.filter((id) => parseId(id)?.form !== 'test');
      const hops = [
        ...(await hopsInto(context, ids, [
          [
            SymbolTestsSymbol,
            ({ distance, via }) => called(Number(distance) + (via === 'reference' ? 1 : 0)),
          ],
          [SymbolCallsSymbol, () => called(1)],
          [SymbolReferencesSymbol, usedBy],
        ])),
        ...(await throughHierarchy(context, ids)),
      ];
      const isCalled = new Set(hops.map(({ from }) => from));
      const around = await hopsInto(context, ids, [
        [SymbolContainsSymbol, (_, from, to) => fromInside(from, to, isCalled.has(from), isWide)],
        [SymbolExtendsSymbol, () => used(1)],
        [SymbolImplementsSymbol, () => used(1)],
      ]);
      return [...hops, ...around, ...(await constructorsOf(context, ids))];
    },
    bounds,
  );
}

/** From classes to what makes instances of them, which is called in their place. */
async function constructorsOf({ entries }: Look, ids: readonly string[]): Promise<Dependent[]> {
  const classes = ids.filter((id) => parseId(id)?.form === 'cls');
  const inside = await entries(classes, 'out', SymbolContainsSymbol);
  return classes.flatMap((from, at) =>
    (inside[at] ?? []).flatMap(({ far: to }) => (isConstructorId(to) ? [{ from, to, ...used(1) }] : [])),
  );
}

const called = (cost: number) => ({ relation: 'caller' as const, may: false, cost });
const used = (cost: number) => ({ relation: 'use' as const, may: false, cost });

/** What a use means for what runs. Within tests it hands over a helper or a fixture. */
function usedBy({ access }: Props, from: string, to: string): ReturnType<Step> {
  if (access === 'run') return { relation: 'route', may: false, cost: 1 };
  if (access === 'type' || access === 'write') return null;
  if (isTestPath(parseId(from)?.path ?? '') && isTestPath(parseId(to)?.path ?? '')) return called(1);
  return access === 'read' ? used(2) : null;
}

/** Members that run without being called by their name: by an operator, a statement, a framework. */
const IMPLICIT = /\.__\w+__$/u;

function fromInside(from: string, around: string, isCalled: boolean, isWide: boolean): ReturnType<Step> {
  // Who calls a function makes what is inside it.
  if (parseId(around)?.form !== 'cls') return used(1);
  if (isConstructorId(from)) return called(1);
  if (!isCalled || IMPLICIT.test(from)) return used(3);
  return isWide ? used(6) : null;
}
