import { z } from 'zod';
import { CodewalkError, type EdgeType, listOf, type NodeType, type Shape } from '../schema/index.js';
import type { Access, ContextOf, ReadContext, SpawnTarget, StepsContext } from './context.js';
import type { Location, NodeRef, RefOf } from './refs.js';
import type { Truncation, WalkResult } from './run.js';

/** When an ability runs at a location. */
export type AbilityEvent = 'entry' | 'exit';

/**
 * One ability of a walker, as data and code. `triggers: null`: once per walk, not per location. A `frontier` ability gets
 * the ids of a whole frontier in place of one location.
 */
export interface Ability {
  readonly event: AbilityEvent | 'frontier';
  readonly triggers: readonly (NodeType | EdgeType)[] | null;
  /** An ability of the same name in a sub-walker replaces this one in its place; null never matches. */
  readonly name: string | null;
  readonly run: (here: Location, context: StepsContext) => unknown;
}

/** Options of an ability. */
export interface AbilityOptions {
  /** Default: none. Needed only to override it in a sub-walker. */
  name?: string;
}

type Trigger = NodeType | EdgeType;
type HereOf<T> = T extends readonly (infer I)[] ? RefOf<I> : RefOf<T>;

/** Makes the abilities of a walker, typed by its input, state and report. */
export interface AbilityBuilder<C> {
  /** At every location of these archetypes, on the way in. */
  entry<T extends Trigger | readonly Trigger[]>(
    trigger: T,
    run: (here: HereOf<T>, context: C) => unknown,
    options?: AbilityOptions,
  ): Ability;
  /** Once, before the first location is entered. */
  entry(run: (context: C) => unknown, options?: AbilityOptions): Ability;
  /** At every location of these archetypes, on the way back (in reverse order of entry). */
  exit<T extends Trigger | readonly Trigger[]>(
    trigger: T,
    run: (here: HereOf<T>, context: C) => unknown,
    options?: AbilityOptions,
  ): Ability;
  /** Once, after the walk has drained. */
  exit(run: (context: C) => unknown, options?: AbilityOptions): Ability;
  /**
   * Once per depth, for all nodes at it: their ids, each once, in the order of the hops that led there. It visits hops,
   * and the cheapest way to a node decides its depth. No node is read for it, and abilities at nodes do not run: for
   * walks that follow what many nodes have in common in one read.
   *
   * @example
   * w.frontier(async (ids, ctx) => {
   *   const calls = await ctx.entries(ids, 'in', SymbolCallsSymbol);
   *   const hops = ids.flatMap((from, at) => (calls[at] ?? []).map(({ far }) => ({ from, to: far })));
   *   await ctx.visit(hops, { maxDepth: ctx.state.max_depth });
   * })
   */
  frontier(run: (ids: readonly string[], context: C) => unknown, options?: AbilityOptions): Ability;
}

/** One example of a walker's use, for help and reference pages. */
export interface WalkerExample {
  readonly title: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** See {@link WalkerType.withoutGraph}. */
export type WithoutGraph = 'refused' | 'empty';

/** See {@link WalkerType.reads}. */
export type ReadsOf = 'code' | 'trace';

/** A walker that is to run when another has answered. */
export interface FollowUp {
  /** Its name. */
  readonly walker: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A walker as data: everything that a face, the engine and the reference pages need. */
export interface WalkerType {
  readonly element: 'walker';
  /** Its name as a tool: letters, digits and underscores, beginning with a letter, at most 64. */
  readonly name: string;
  /** The first 160 characters carry the message (spec C-08). */
  readonly description: string;
  readonly access: Access;
  /** What it says of a project that has no graph: `refused`, or what an `empty` one says. A writer makes one. */
  readonly withoutGraph: WithoutGraph;
  /** What its answer is about: before one about `code`, the host brings the graph up to date with the files. */
  readonly reads: ReadsOf;
  /** Whether its commits wait until they are on disk: they survive the death of the machine too (P-07). */
  readonly sync: boolean;
  readonly input: z.ZodObject<Shape>;
  readonly reportSchema: z.ZodType | null;
  readonly output: z.ZodType | null;
  readonly lineage: ReadonlySet<string>;
  /** Own abilities and inherited ones, in their order. */
  readonly abilities: readonly Ability[];
  readonly examples: readonly WalkerExample[];
  /** The fields of a fresh instance, from validated input. */
  initial(input: Readonly<Record<string, unknown>>): Record<string, unknown>;
  /** Where it begins when the caller names no location (null or an empty list: nowhere); without it, at the root. */
  readonly start: ((context: StepsContext) => Promise<SpawnTarget | null> | SpawnTarget | null) | null;
  /** The body of the answer; null: the reports are the answer. */
  readonly finish: ((run: FinishedRun) => unknown) | null;
  /** The answer as Markdown, for people and models; null: it is made from the body. */
  readonly markdown: ((output: never) => string) | null;
  /** What a walker that only reads wants written down of its answer: the host sees to it when the answer is out. */
  readonly afterwards: ((output: never) => FollowUp | null) | null;
}

/** What `finish` gets: the walk that has drained, and the context it ran in. */
export interface FinishedRun<State = Record<string, unknown>, Report = unknown, C = StepsContext> {
  readonly state: State;
  readonly reports: readonly Report[];
  readonly truncated: Truncation | null;
  readonly context: C;
  /** The depth of a node or edge that the walk reached by a visit, by its id; undefined: it did not. */
  distance(id: string): number | undefined;
  /** The ids on the way to it: it first, a start last. */
  path(id: string): string[];
}

/** A walker with its types: what {@link defineWalker} makes. */
export interface WalkerArchetype<
  N extends string = string,
  I extends Shape = Shape,
  S extends object = object,
  R = unknown,
  O = unknown,
> extends WalkerType {
  readonly name: N;
  readonly input: z.ZodObject<I>;
  /** Types only. */
  readonly types?: { readonly state: FieldsOf<I, S>; readonly report: R; readonly output: O };
}

/** A walker with its fields: spawned again, it keeps them. */
export interface WalkerInstance<W extends WalkerType = WalkerType> {
  readonly instanceOf: W;
  readonly state: StateOf<W>;
}

/** The fields of a walker. */
export type StateOf<W> = W extends { readonly types?: { readonly state: infer S } }
  ? S
  : Record<string, unknown>;
/** What a walker reports. */
export type ReportOf<W> = W extends { readonly types?: { readonly report: infer R } } ? R : unknown;
/** The body of a walker's answer. */
export type OutputOf<W> = W extends { readonly types?: { readonly output: infer O } } ? O : unknown;
/** What a walker must be given. */
export type InputOf<W> = W extends { readonly input: infer I extends z.ZodType }
  ? z.input<I>
  : Record<string, unknown>;

/** The call signature of a spawn: the input may be left out when every field has a default. */
export type Spawn<W> =
  Record<string, never> extends InputOf<W>
    ? (input?: InputOf<W>) => WalkResult<W>
    : (input: InputOf<W>) => WalkResult<W>;

/** Input and state together. (zod's output of no fields at all would take any name.) */
export type FieldsOf<I extends Shape, S extends object> = [keyof I] extends [never]
  ? S
  : z.output<z.ZodObject<I>> & S;

/** What {@link defineWalker} takes. */
export interface WalkerDefinition<I extends Shape, S extends object, R, O, A extends Access> {
  description?: string;
  /** Default `read`. */
  access?: A;
  /** Default `refused`. */
  withoutGraph?: WithoutGraph;
  /** Default `code`. */
  reads?: ReadsOf;
  /** Default false: its commits survive the death of the process. */
  sync?: boolean;
  /** The fields a caller gives. */
  input?: I;
  /** The schema of one report: `ctx.report` refuses what does not fit. */
  report?: z.ZodType<R>;
  /** The schema of the answer's body: what `finish` gives must fit. */
  output?: z.ZodType<O>;
  /** Fields beside the input, made for each fresh instance. */
  state?: (input: z.output<z.ZodObject<I>>) => S;
  /** Its abilities come first; those of the same name are replaced in their place. */
  extends?: WalkerType | readonly WalkerType[];
  examples?: readonly WalkerExample[];
  start?: (context: ContextOf<A, FieldsOf<I, S>, R>) => Promise<SpawnTarget | null> | SpawnTarget | null;
  /** Its abilities. Left out, with no `start` and no parent: it visits nothing, and `finish` does all. */
  on?: (builder: AbilityBuilder<ContextOf<A, FieldsOf<I, S>, R>>) => readonly Ability[];
  /** For a walker that stays where it starts, in place of `on` and `finish`: what it does there, and its answer. */
  run?: (here: NodeRef, context: ContextOf<A, FieldsOf<I, S>, R>) => O | Promise<O>;
  finish?: (run: FinishedRun<FieldsOf<I, S>, R, ContextOf<A, FieldsOf<I, S>, R>>) => O | Promise<O>;
  /** The answer as Markdown. */
  markdown?: (output: O) => string;
  /** See {@link WalkerType.afterwards}. */
  afterwards?: (output: O) => FollowUp | null;
}

/**
 * Defines a walker: a value with its name, schemas, access, abilities and, for tools, where it starts and what
 * it answers. The tool, the command, the page and the function are all made from this value.
 *
 * @example
 * const Sum = defineWalker('sum', {
 *   input: {}, report: z.number(), state: () => ({ total: 0 }),
 *   on: (w) => [
 *     w.entry(Fn, (here, ctx) => void (ctx.state.total += here.arity)),
 *     w.exit((ctx) => ctx.report(ctx.state.total)),
 *   ],
 * });
 *
 * @throws CodewalkError `INVALID_ARCHETYPE` when the name is not letters, digits and underscores, beginning with a
 * letter, at most 64.
 */
export function defineWalker<
  const N extends string,
  I extends Shape = Record<never, never>,
  S extends object = Record<never, never>,
  R = never,
  O = unknown,
  A extends Access = 'read',
>(name: N, definition: WalkerDefinition<I, S, R, O, A>): WalkerArchetype<N, I, S, R, O> {
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name))
    throw new CodewalkError('INVALID_ARCHETYPE', `'${name}' is no name for a walker`, {
      suggestion: 'Use letters, digits and underscores, beginning with a letter, at most 64.',
    });
  const parents = listOf(definition.extends);
  const own = definition.on?.(abilityBuilder<ContextOf<A, FieldsOf<I, S>, R>>()) ?? [];
  const input = z.strictObject(
    Object.assign({}, ...parents.map((p) => p.input.shape), definition.input ?? {}),
  );
  const walker = {
    element: 'walker' as const,
    name,
    description: definition.description ?? '',
    access: (definition.access ?? 'read') as Access,
    withoutGraph: definition.withoutGraph ?? 'refused',
    reads: definition.reads ?? 'code',
    sync: definition.sync ?? false,
    input: input as unknown as z.ZodObject<I>,
    reportSchema: definition.report ?? null,
    output: definition.output ?? null,
    lineage: new Set([name, ...parents.flatMap((p) => [...p.lineage])]),
    abilities: withOverrides([...new Set(parents.flatMap((p) => p.abilities))], own),
    examples: definition.examples ?? [],
    initial: (given: Readonly<Record<string, unknown>>) =>
      Object.assign({}, ...parents.map((p) => p.initial(given)), given, definition.state?.(given as never)),
    start:
      (definition.start as WalkerType['start'] | undefined) ??
      parents.find((p) => p.start)?.start ??
      (definition.on || definition.run || parents.length > 0 ? null : () => null),
    finish:
      stayAndRun(definition.run as ((here: NodeRef, context: StepsContext) => unknown) | undefined) ??
      (definition.finish as WalkerType['finish'] | undefined) ??
      parents.find((p) => p.finish)?.finish ??
      null,
    markdown: (definition.markdown as WalkerType['markdown'] | undefined) ?? null,
    afterwards: (definition.afterwards as WalkerType['afterwards'] | undefined) ?? null,
  };
  return walker;
}

function stayAndRun(run: ((here: NodeRef, context: StepsContext) => unknown) | undefined) {
  return run && (({ context }: FinishedRun) => run(context.here as NodeRef, context));
}

/** One ability of a node or edge archetype, run when a walker arrives. */
export interface Arrival {
  readonly at: NodeType | EdgeType;
  readonly event: AbilityEvent;
  /** Walker archetypes it is for; null: every walker. */
  readonly triggers: readonly WalkerType[] | null;
  /** As {@link Ability.name}. */
  readonly name: string | null;
  readonly run: (self: Location, visitor: WalkerInstance, context: StepsContext) => unknown;
}

/**
 * An ability on the location's side. Arrivals are given to `openGraph` and keep their order; those of an
 * ancestor archetype run first.
 */
export function onArrival<T extends NodeType | EdgeType, W extends WalkerType>(
  at: T,
  event: AbilityEvent,
  walker: W | readonly W[] | null,
  run: (self: RefOf<T>, visitor: WalkerInstance<W>, context: ReadContext<StateOf<W>, ReportOf<W>>) => unknown,
  options: AbilityOptions = {},
): Arrival {
  return {
    at,
    event,
    triggers: walker === null ? null : listOf(walker),
    name: options.name ?? null,
    run: run as unknown as Arrival['run'],
  };
}

/** Own entries after inherited ones, each override in the place of what it replaces. */
export function withOverrides<T extends { readonly name: string | null }>(
  inherited: readonly T[],
  own: readonly T[],
): T[] {
  const result = [...inherited];
  for (const entry of own) {
    const at = entry.name === null ? -1 : result.findIndex((other) => other.name === entry.name);
    if (at >= 0 && at < inherited.length) result[at] = entry;
    else result.push(entry);
  }
  return result;
}

function abilityBuilder<C>(): AbilityBuilder<C> {
  const make = (event: Ability['event']) => (first: unknown, second?: unknown, third?: unknown) => {
    const untyped = typeof first === 'function' && !('element' in first);
    const options = ((untyped ? second : third) ?? {}) as AbilityOptions;
    const run = (
      untyped ? (_here: Location, context: C) => (first as (c: C) => unknown)(context) : second
    ) as Ability['run'];
    return { event, triggers: untyped ? null : listOf(first as Trigger), name: options.name ?? null, run };
  };
  const frontier = (run: unknown, { name = null }: { name?: string | null } = {}) => ({
    event: 'frontier',
    triggers: null,
    name,
    run,
  });
  return { entry: make('entry'), exit: make('exit'), frontier } as unknown as AbilityBuilder<C>;
}
