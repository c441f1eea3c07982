import { z } from 'zod';
import { isConstructorId } from '../../graphs/code/index.js';
import {
  compareText,
  defineWalker,
  type EdgeType,
  type Hop,
  type NodeRef,
  type Reached,
  type ReadContext,
} from '../../runtime/index.js';
import {
  append,
  CodeSymbol,
  FileContainsSymbol,
  FileImports,
  LIMITS,
  parseId,
  SymbolCallsSymbol,
  SymbolContainsSymbol,
  SymbolExtendsSymbol,
  SymbolImplementsSymbol,
  SymbolMayCallSymbol,
  SymbolReferencesSymbol,
  SymbolTestsSymbol,
} from '../../schema/index.js';
import { isTestPath } from '../../source/index.js';
import { isCall, isReference, stepsAt } from './calls.js';
import { callsThrough, overridingMembers } from './dispatch.js';

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
type Relation = (typeof RELATIONS)[number];

/** A step to something that depends on what a search came from. */
export interface Dependent extends Hop {
  readonly relation: Relation;
  /** Whether it is a candidate: an ambiguous call, or one that may run another member of the hierarchy. */
  readonly may: boolean;
}

/** What a search reached; `truncated`: it ended at its most nodes. */
type FoundDependents = Reached<Dependent>;

type Look = Pick<ReadContext, 'entries' | 'entryEdges' | 'nodesOf' | 'spawn'>;
type Props = Readonly<Record<string, unknown>>;
/** What an edge means for the node that it comes from; null: nothing. */
type Step = (props: Props, from: string, to: string) => Omit<Dependent, 'from' | 'to'> | null;

const MOST_NODES = LIMITS.impactNodes.max;
/** The relations that a search does not go on from: what depends on such a node does not depend on what it depends on. */
const LAST: ReadonlySet<Relation> = new Set(['route', 'override', 'type', 'import']);

const is =
  (relation: Relation, may = false): Step =>
  () => ({ relation, may });

/** Walks to what depends on where it starts, from all nodes of a depth in the order of their ids. */
const DependentsWalk = defineWalker('dependents_walk', {
  input: { maxDepth: z.number() },
  state: () => ({ last: new Set<string>() }),
  on: (w) => [
    w.frontier(async (frontier, ctx) => {
      const { maxDepth, last } = ctx.state;
      if (ctx.reached.size >= MOST_NODES) ctx.disengage();
      if (ctx.depth === maxDepth) return;
      const ids = frontier.filter((id) => !last.has(id)).sort(compareText);
      const over = await overridingMembers(ctx, ids);
      const hops = [
        ...(await hopsInto(ctx, ids, [
          [SymbolCallsSymbol, is('caller')],
          [SymbolExtendsSymbol, is('subclass')],
          [SymbolImplementsSymbol, is('implementation')],
          [SymbolReferencesSymbol, ({ access }) => ({ relation: relationOf(access), may: false })],
          [FileImports, is('import')],
          [SymbolMayCallSymbol, is('caller', true)],
        ])),
        ...[...over].flatMap(([from, members]) =>
          members.map((to): Dependent => ({ from, to, relation: 'override', may: false })),
        ),
        ...(await throughHierarchy(ctx, ids)),
      ];
      for (const { to, relation } of hops) if (LAST.has(relation)) last.add(to);
      await ctx.visit(hops);
    }),
  ],
});

/**
 * Everything that may break where these change: callers, also through an overridden member, and routes; what overrides,
 * extends or implements them; what uses them otherwise. Each once, nearest first.
 */
export async function dependentsOf(
  { spawn }: Pick<ReadContext, 'spawn'>,
  starts: readonly string[],
  maxDepth: number,
): Promise<FoundDependents> {
  const { reached, disengaged } = await spawn(DependentsWalk, starts, { maxDepth });
  reached.truncated = disengaged;
  return reached as FoundDependents;
}

/** Says that a search was ended, where it was. @param what It searched for. */
export function endedNotes({ truncated }: Pick<FoundDependents, 'truncated'>, what: string): string[] {
  const most = MOST_NODES.toLocaleString('en');
  return truncated ? [`The search for ${what} ended after ${most} symbols: there are more.`] : [];
}

function relationOf(access: unknown): Relation {
  if (access === 'run') return 'route';
  return access === 'type' ? 'type' : 'use';
}

/** The hops against edges of some types, those of the first type first. */
async function hopsInto(
  context: Look,
  ids: readonly string[],
  types: readonly (readonly [EdgeType, Step])[],
): Promise<Dependent[]> {
  const hops: Dependent[] = [];
  for (const [type, step] of types)
    for (const { node: from, entry } of await stepsAt(context, ids, 'in', type)) {
      const hop = step(entry.props, from, entry.far);
      if (hop) hops.push({ from, to: entry.far, ...hop });
    }
  return hops;
}

async function throughHierarchy(context: Look, ids: readonly string[]): Promise<Dependent[]> {
  const calls = await callsThrough(context, ids);
  return calls.map(({ from: to, reaches: from }) => ({ from, to, relation: 'caller', may: true }));
}

const called = (cost: number) => ({ relation: 'caller' as const, may: false, cost });
const used = (cost: number) => ({ relation: 'use' as const, may: false, cost });

/** Uses that run nothing. */
const IDLE: ReadonlySet<unknown> = new Set(['type', 'write']);
/** Members that run without being called by their name: by an operator, a statement, a framework. */
const IMPLICIT = /\.__\w+__$/u;
/** Bodies of modules and classes that are looked into at one distance: of what more use, all that they hold says no more. */
const MOST_BODIES = 200;

/**
 * Walks to everything whose run comes to where it starts: tests that exercise it, callers, routes. A hop that is no call
 * for sure has the relation `use`, and costs more where it says less: to the function around a function, to what reads or
 * passes it as a value, to what holds that value or is decorated with it, to a call that has other candidates as well,
 * and, of a member that nothing calls by its name, to the class that somebody makes an instance of.
 */
const ReachingWalk = defineWalker('reaching_walk', {
  input: { maxDepth: z.number(), isWide: z.boolean() },
  on: (w) => [
    w.frontier(async (frontier, ctx) => {
      const { maxDepth, isWide } = ctx.state;
      if (ctx.reached.size >= MOST_NODES) ctx.disengage();
      if (ctx.depth === maxDepth) return;
      const ids = frontier.filter((id) => parseId(id)?.form !== 'test').sort(compareText);
      const hops = [
        ...(await hopsInto(ctx, ids, [
          [
            SymbolTestsSymbol,
            ({ distance, via }) => called(Number(distance) + (via === 'reference' ? 1 : 0)),
          ],
          [SymbolCallsSymbol, () => called(1)],
          [SymbolReferencesSymbol, usedBy],
        ])),
        ...(await throughHierarchy(ctx, ids)),
      ];
      const isCalled = new Set(hops.map(({ from }) => from));
      const around = await hopsInto(ctx, ids, [
        [SymbolContainsSymbol, (_, from, to) => fromInside(from, to, isCalled.has(from), isWide)],
        [SymbolExtendsSymbol, () => used(1)],
        [SymbolImplementsSymbol, () => used(1)],
        [SymbolMayCallSymbol, () => used(2)],
      ]);
      // Who makes an instance of a class calls its constructor.
      const classes = ids.filter((id) => parseId(id)?.form === 'cls');
      const made = (await stepsAt(ctx, classes, 'out', SymbolContainsSymbol)).flatMap(({ node, entry }) =>
        isConstructorId(entry.far) ? [{ from: node, to: entry.far, ...used(1) }] : [],
      );
      await ctx.visit([...hops, ...around, ...made, ...(await holdersOf(ctx, hops))], { maxDepth });
    }),
  ],
});

/**
 * Everything whose run comes to these, see {@link ReachingWalk}.
 *
 * @param isWide Whether all members are also reached from their classes: who has an instance may call them in ways that
 * are not known.
 */
export async function reachingCode(
  { spawn }: Pick<ReadContext, 'spawn'>,
  starts: readonly string[],
  maxDepth: number,
  isWide = false,
): Promise<FoundDependents> {
  const { reached, disengaged } = await spawn(ReachingWalk, starts, { maxDepth, isWide });
  reached.truncated = disengaged;
  return reached as FoundDependents;
}

/** What a use means for what runs. Within tests it hands over a helper or a fixture. */
function usedBy({ access }: Props, from: string, to: string): ReturnType<Step> {
  if (access === 'run') return { relation: 'route', may: false, cost: 1 };
  if (IDLE.has(access)) return null;
  return isInTest(from) && isInTest(to) ? called(1) : used(1);
}

function isInTest(id: string): boolean {
  return isTestPath(parseId(id)?.path ?? '');
}

function fromInside(from: string, around: string, isCalled: boolean, isWide: boolean): ReturnType<Step> {
  // Who calls a function makes what is inside it.
  if (parseId(around)?.form !== 'cls') return used(1);
  if (isConstructorId(from)) return called(1);
  if (!isCalled || IMPLICIT.test(from)) return used(3);
  return isWide ? used(6) : null;
}

/**
 * Of what a module or a class body uses, the symbols whose definitions use it there: the variable that it makes or that
 * holds it, the function that it decorates. Who uses the one or calls the other runs it.
 */
async function holdersOf(context: Look, hops: readonly Dependent[]): Promise<Dependent[]> {
  const bodies = hops
    .filter(({ to }) => ['file', 'cls'].includes(parseId(to)?.form ?? '') && !isInTest(to))
    .slice(0, MOST_BODIES);
  const around = new Set(bodies.map(({ to }) => to));
  const ids = [...new Set(bodies.map(({ from }) => from))];
  const uses = [
    ...(await stepsAt(context, ids, 'in', SymbolCallsSymbol)),
    ...(await stepsAt(context, ids, 'in', SymbolReferencesSymbol)),
  ].filter(({ entry }) => around.has(entry.far) && !IDLE.has(entry.props.access));
  const edges = await context.entryEdges(uses);
  const inside = new Map<string, NodeRef<typeof CodeSymbol>[]>();
  for (const type of [FileContainsSymbol, SymbolContainsSymbol]) {
    const parts = await stepsAt(context, [...around], 'out', type);
    const symbols = await context.nodesOf(
      CodeSymbol,
      parts.map(({ entry }) => entry.far),
    );
    for (const [at, { node }] of parts.entries()) {
      const symbol = symbols[at];
      if (symbol) append(inside, node, symbol);
    }
  }
  return uses.flatMap(({ node: from, entry }, at) => {
    const edge = edges[at];
    const places = edge && (isCall(edge) || isReference(edge)) ? edge.evidence : [];
    return (inside.get(entry.far) ?? []).flatMap(({ id: to, gone, start_line, end_line, name_line }) => {
      // What stands before the name of anything else than a variable decorates it.
      const last = parseId(to)?.form === 'var' ? end_line : (name_line ?? start_line) - 1;
      const isIn = !gone && to !== from && places.some(({ line }) => start_line <= line && line <= last);
      return isIn ? [{ from, to, ...used(1) }] : [];
    });
  });
}
