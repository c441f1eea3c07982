import { type EdgeRef, isA, type ReadContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  type LocalForm,
  RouteSymbol,
  SymbolCallsSymbol,
  SymbolReferencesSymbol,
} from '../../../schema/index.js';

type Look = Pick<ReadContext, 'q'>;

const ROUTE = 'route:' satisfies `${LocalForm}:`;

/** What a route refers to as run is called by its framework. */
const RUN = { access: 'run' } as const;

/** An edge that calls follow, as rows and diagrams tell it. */
export type CallRef = Pick<
  EdgeRef<typeof SymbolCallsSymbol>,
  'from' | 'to' | 'call_type' | 'line' | 'evidence'
>;

/** The ids of what calls these: symbols and modules, then the routes that run them. */
export async function callersOf({ q }: Look, ids: readonly string[]): Promise<string[]> {
  const callers = await q(ids).in(SymbolCallsSymbol).ids();
  // Where no route refers to them, which is told from memory, no edge is read for how it does.
  const routes = await q(ids).in(SymbolReferencesSymbol).of(RouteSymbol).ids();
  if (routes.length === 0) return callers;
  return [...callers, ...(await q(ids).in(SymbolReferencesSymbol, RUN).of(RouteSymbol).ids())];
}

/**
 * The ids of what these call, then of what they run as routes.
 *
 * @param inProject Whether what leads out of the project is left out.
 */
export async function calledBy({ q }: Look, ids: readonly string[], inProject = false): Promise<string[]> {
  const calls = q(ids).out(SymbolCallsSymbol);
  const called = await (inProject ? calls.of(CodeSymbol) : calls).ids();
  const routes = ids.filter(isRouteId);
  if (routes.length === 0) return called;
  return [...called, ...(await q(routes).out(SymbolReferencesSymbol, RUN).of(CodeSymbol).ids())];
}

/** The edges that {@link calledBy} follows from these to some of `far`, in their order. Records of others are not read. */
export async function callsBetween(
  { entries, entryEdges }: Pick<ReadContext, 'entries' | 'entryEdges'>,
  ids: readonly string[],
  far: ReadonlySet<string>,
): Promise<CallRef[]> {
  const called = await entries(ids, 'out', SymbolCallsSymbol);
  const routes = ids.filter(isRouteId);
  const run = routes.length === 0 ? [] : await entries(routes, 'out', SymbolReferencesSymbol);
  const ofRoute = new Map(routes.map((id, at) => [id, run[at] ?? []]));
  const steps = ids.flatMap((node, at) =>
    [...(called[at] ?? []), ...(ofRoute.get(node) ?? [])].flatMap((entry) =>
      far.has(entry.far) ? [{ node, entry }] : [],
    ),
  );
  return (await entryEdges(steps)).flatMap((edge) => callRef(edge) ?? []);
}

/** The edges of all calls of these, in their order. */
export async function callsInto(
  { entries, entryEdges }: Pick<ReadContext, 'entries' | 'entryEdges'>,
  ids: readonly string[],
): Promise<CallRef[]> {
  const calls = ids.length === 0 ? [] : await entries(ids, 'in', SymbolCallsSymbol);
  const steps = ids.flatMap((node, at) => (calls[at] ?? []).map((entry) => ({ node, entry })));
  return (await entryEdges(steps)).flatMap((edge) => callRef(edge) ?? []);
}

function callRef(edge: EdgeRef | undefined): CallRef | null {
  if (edge === undefined) return null;
  if (isCall(edge)) return edge;
  return isReference(edge) && edge.access === RUN.access ? { ...edge, call_type: 'direct' } : null;
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
