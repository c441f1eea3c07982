import {
  type EdgeRef,
  type EdgeType,
  type Hop,
  type HopStep,
  isA,
  type ReadContext,
} from '../../runtime/index.js';
import {
  CodeSymbol,
  type Evidence,
  type LocalForm,
  lastNamePart,
  nodeArchetype,
  ownNameIn,
  parseId,
  type Resolution,
  SymbolCallsSymbol,
  SymbolMayCallSymbol,
  SymbolReferencesSymbol,
  stubId,
  Unresolved,
} from '../../schema/index.js';
import { isTestPath } from '../../source/index.js';

type Look = Pick<ReadContext, 'entries'>;
type LookAtEdges = Pick<ReadContext, 'entries' | 'entryEdges'>;

const ROUTE = 'route:' satisfies `${LocalForm}:`;
/** What a route refers to as run is called by its framework. */
const RUN = 'run';

/** An edge that calls follow, as rows and diagrams describe it. */
export type CallRef = Pick<
  EdgeRef<typeof SymbolCallsSymbol>,
  'from' | 'to' | 'call_type' | 'line' | 'evidence'
> & { readonly resolution?: Resolution };

/** The entries of a type of edges at some nodes, in their order, each with its node. */
export async function stepsAt(
  { entries }: Look,
  ids: readonly string[],
  direction: 'in' | 'out',
  type: EdgeType,
): Promise<HopStep[]> {
  const found = ids.length === 0 ? [] : await entries(ids, direction, type);
  return ids.flatMap((node, at) => (found[at] ?? []).map((entry) => ({ node, entry })));
}

/** The edges of a type that lead to some nodes, in their order. */
export async function edgesInto(
  context: LookAtEdges,
  ids: readonly string[],
  type: EdgeType,
): Promise<EdgeRef[]> {
  const edges = await context.entryEdges(await stepsAt(context, ids, 'in', type));
  return edges.filter((edge) => edge !== undefined);
}

/** The hops to what calls these: symbols and modules, then the routes that run them. */
export async function callerHops(context: Look, ids: readonly string[]): Promise<Hop[]> {
  const calls = await stepsAt(context, ids, 'in', SymbolCallsSymbol);
  const uses = await stepsAt(context, ids, 'in', SymbolReferencesSymbol);
  const runs = uses.filter(({ entry }) => entry.props.access === RUN && isRouteId(entry.far));
  return [...calls, ...runs].map(hopOf);
}

/** The hops to what these call inside the project, and to what they run as routes. */
export async function calleeHops(context: Look, ids: readonly string[]): Promise<Hop[]> {
  const steps = await calleeSteps(context, ids);
  return steps.filter(({ entry }) => isSymbolType(entry.farType)).map(hopOf);
}

/** The edges that {@link calleeHops} follow from these to some of `far`, in their order. Records of others are not read. */
export async function callsBetween(
  context: LookAtEdges,
  ids: readonly string[],
  far: ReadonlySet<string>,
): Promise<CallRef[]> {
  const steps = (await calleeSteps(context, ids)).filter(({ entry }) => far.has(entry.far));
  return (await context.entryEdges(steps)).flatMap((edge) => callRef(edge) ?? []);
}

/** What these call, and run as routes, in the order in which each does. */
async function calleeSteps(context: Look, ids: readonly string[]): Promise<HopStep[]> {
  const calls = await stepsAt(context, ids, 'out', SymbolCallsSymbol);
  const uses = await stepsAt(context, ids.filter(isRouteId), 'out', SymbolReferencesSymbol);
  const runs = uses.filter(({ entry }) => entry.props.access === RUN);
  if (runs.length === 0) return calls;
  const order = new Map(ids.map((id, at) => [id, at]));
  return [...calls, ...runs].sort((a, b) => (order.get(a.node) ?? 0) - (order.get(b.node) ?? 0));
}

function hopOf({ node: from, entry }: HopStep): Hop {
  return { from, to: entry.far };
}

/** Whether a type of nodes is one of symbols. */
export function isSymbolType(name: string): boolean {
  return nodeArchetype(name)?.lineage.has(CodeSymbol.name) ?? false;
}

/** The edges of all calls of these, in their order. */
export async function callsInto(context: LookAtEdges, ids: readonly string[]): Promise<CallRef[]> {
  return (await edgesInto(context, ids, SymbolCallsSymbol)).flatMap((edge) => callRef(edge) ?? []);
}

function callRef(edge: EdgeRef | undefined): CallRef | null {
  if (edge === undefined) return null;
  if (isCall(edge)) return edge;
  return isReference(edge) && edge.access === RUN ? { ...edge, call_type: 'direct' } : null;
}

/** Whether an edge is a call that is shown as fact. */
export function isCall(edge: EdgeRef): edge is EdgeRef<typeof SymbolCallsSymbol> {
  return isA(edge.archetype, SymbolCallsSymbol);
}

/** Whether an edge is a use without a call. */
export function isReference(edge: EdgeRef): edge is EdgeRef<typeof SymbolReferencesSymbol> {
  return isA(edge.archetype, SymbolReferencesSymbol);
}

function isRouteId(id: string): boolean {
  return id.startsWith(ROUTE);
}

/**
 * How sure an edge is, in a word: what a name or an import says is certain, what a type says likely, since a value may be
 * of a derived one; one of several is a candidate, and no fact.
 */
export const CERTAINTIES = ['certain', 'likely', 'candidate'] as const;
/** One of {@link CERTAINTIES}. */
export type Certainty = (typeof CERTAINTIES)[number];

/** How sure an edge of a type is by what it was resolved by. */
export function certaintyOf(type: EdgeType, resolution: Resolution): Certainty {
  if (type.name === SymbolMayCallSymbol.name) return 'candidate';
  return resolution === 'exact' || resolution === 'import' ? 'certain' : 'likely';
}

/** Why a call is no fact. */
export const CANDIDATE_CAUSES = [
  'one of several that it may call',
  'the type of its receiver is not known',
  'where the name comes from is not known',
] as const;

/** A call that may lead to a symbol, and is no fact. */
export interface CandidateCall {
  readonly from: string;
  /** Where, and as it is written. */
  readonly places: readonly Pick<Evidence, 'line' | 'expression'>[];
  readonly cause: (typeof CANDIDATE_CAUSES)[number];
}

/**
 * The calls that may lead to symbols, and are no facts: candidates of ambiguous calls, and calls of one of their names
 * that lead nowhere known.
 *
 * @param most How many are listed, from the place `skip` on; the others are only counted.
 * @returns How many there are (what one caller calls by one name counts once, however many it may be), and those of the
 * page, in production code before those in tests.
 */
export async function candidateCalls(
  context: LookAtEdges & Pick<ReadContext, 'nodesOf'>,
  ids: readonly string[],
  names: Iterable<string>,
  most = 0,
  skip = 0,
): Promise<{ readonly count: number; readonly calls: readonly CandidateCall[] }> {
  const stubs = (await context.nodesOf(Unresolved, [...new Set(names)].map(stubId))).flatMap((stub) =>
    stub.gone || stub.package !== null ? [] : [stub.id],
  );
  const ambiguous = await stepsAt(context, ids, 'in', SymbolMayCallSymbol);
  const unresolved = await withMeaning(context, await stepsAt(context, stubs, 'in', SymbolCallsSymbol), ids);
  const steps = new Map<string, HopStep>();
  for (const step of [...ambiguous, ...unresolved]) {
    const key = callKey(step.entry.far, step.node);
    if (!steps.has(key)) steps.set(key, step);
  }
  const isTest = ({ entry }: HopStep) => Number(isTestPath(parseId(entry.far)?.path ?? ''));
  const sorted = most === 0 ? [] : [...steps.values()].sort((a, b) => isTest(a) - isTest(b));
  const edges = await context.entryEdges(sorted.slice(skip, skip + most));
  return { count: steps.size, calls: edges.flatMap((edge) => candidateCall(edge) ?? []) };
}

/** Calls whose records are read to tell how each of their places is written. */
const MOST_READ = 500;

/** Of calls of names that lead nowhere known those that may be of one of some symbols. */
async function withMeaning(
  context: LookAtEdges,
  steps: readonly HopStep[],
  ids: readonly string[],
): Promise<HopStep[]> {
  const mayBe = (step: HopStep, isMember: boolean) => ids.some((id) => mayLeadTo(step, id, isMember));
  const typeOf = ({ entry }: HopStep) => entry.props.call_type;
  const isOdd = (step: HopStep) => typeOf(step) !== 'constructor' && !mayBe(step, typeOf(step) === 'method');
  const odd = steps.filter(isOdd);
  if (odd.length === 0) return [...steps];
  // One caller's calls of a name are one edge, however each is written.
  const edges = await context.entryEdges(odd.slice(0, MOST_READ));
  const left = new Set(
    odd.filter((step, at) => {
      const places = edges[at] && isCall(edges[at]) ? edges[at].evidence : [];
      const isBare = (text: string) => /^[([]/u.test(afterName(text, ownNameIn(step.node)));
      return !places.some(({ expression }) => mayBe(step, !isBare(expression)));
    }),
  );
  return steps.filter((step) => !left.has(step));
}

/** What follows a name that an expression begins with; empty where it does not. */
function afterName(expression: string, name: string): string {
  return expression.startsWith(name) ? expression.slice(name.length).trimStart() : '';
}

/**
 * Whether a call of a name that leads nowhere known may be of a symbol, by what its caller's language lets names mean.
 *
 * @param isMember Whether the name stands behind a receiver.
 */
function mayLeadTo({ node, entry }: HopStep, id: string, isMember: boolean): boolean {
  const { form, name, path } = parseId(id) ?? {};
  const from = parseId(entry.far);
  if ((form !== 'm' && form !== 'fn') || lastNamePart(name ?? '') !== ownNameIn(node)) return true;
  if (/\.(?:go|php|phtml)$/iu.test(from?.path ?? '')) return isMember === (form === 'm');
  if (!/\.java$/iu.test(from?.path ?? '') || isMember) return true;
  // Of the class that the caller is in, or of one around that.
  const owner = name?.slice(0, name.lastIndexOf('.') + 1) ?? '';
  return path === from?.path && (from?.name ?? '').startsWith(owner);
}

function candidateCall(edge: EdgeRef | undefined): CandidateCall | null {
  const isAmbiguous = edge !== undefined && isA(edge.archetype, SymbolMayCallSymbol);
  if (edge === undefined || !(isAmbiguous || isCall(edge))) return null;
  const { from, line, call_type, evidence } = edge as EdgeRef<typeof SymbolMayCallSymbol>;
  const [several, receiver, name] = CANDIDATE_CAUSES;
  const places = evidence.length > 0 ? evidence : [{ line, expression: '' }];
  return { from, places, cause: isAmbiguous ? several : call_type === 'method' ? receiver : name };
}

/** How many calls by symbols may lead to others, and are no facts; counted as {@link candidateCalls} counts. */
export async function candidatesOutOf(
  context: Look & Pick<ReadContext, 'nodesOf'>,
  ids: readonly string[],
): Promise<number> {
  const ambiguous = await stepsAt(context, ids, 'out', SymbolMayCallSymbol);
  const called = await stepsAt(context, ids, 'out', SymbolCallsSymbol);
  const unresolved = called.filter(({ entry }) => entry.farType === Unresolved.name);
  const stubs = await context.nodesOf(Unresolved, [...new Set(unresolved.map(({ entry }) => entry.far))]);
  const nowhere = new Set(stubs.filter((stub) => stub.package === null).map(({ id }) => id));
  const calls = [...ambiguous, ...unresolved.filter(({ entry }) => nowhere.has(entry.far))];
  return new Set(calls.map(({ node, entry }) => callKey(node, entry.far))).size;
}

/** What identifies calls: the caller, and what a symbol or a stub is called. No record is read. */
function callKey(caller: string, called: string): string {
  return `${caller}\0${ownNameIn(called) || called}`;
}
