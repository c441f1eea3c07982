import { type EdgeRef, type Hop, isA, type ReadContext } from '../../../runtime/index.js';
import {
  CodeSymbol,
  type LocalForm,
  nodeArchetype,
  SymbolCallsSymbol,
  SymbolReferencesSymbol,
} from '../../../schema/index.js';

type Look = Pick<ReadContext, 'entries'>;

const ROUTE = 'route:' satisfies `${LocalForm}:`;

/** What a route refers to as run is called by its framework. */
const RUN = 'run';

/** An edge that calls follow, as rows and diagrams tell it. */
export type CallRef = Pick<
  EdgeRef<typeof SymbolCallsSymbol>,
  'from' | 'to' | 'call_type' | 'line' | 'evidence'
>;

/** The hops to what calls these: symbols and modules, then the routes that run them. */
export async function callerHops({ entries }: Look, ids: readonly string[]): Promise<Hop[]> {
  const calls = await entries(ids, 'in', SymbolCallsSymbol);
  const uses = await entries(ids, 'in', SymbolReferencesSymbol);
  return [
    ...ids.flatMap((from, at) => (calls[at] ?? []).map(({ far: to }) => ({ from, to }))),
    ...ids.flatMap((from, at) =>
      (uses[at] ?? []).flatMap(({ far: to, props }) =>
        props.access === RUN && isRouteId(to) ? [{ from, to }] : [],
      ),
    ),
  ];
}

/** The hops to what these call inside the project, then to what they run as routes. */
export async function calleeHops({ entries }: Look, ids: readonly string[]): Promise<Hop[]> {
  const calls = await entries(ids, 'out', SymbolCallsSymbol);
  const routes = ids.filter(isRouteId);
  const runs = routes.length === 0 ? [] : await entries(routes, 'out', SymbolReferencesSymbol);
  const isSymbolType = (name: string) => nodeArchetype(name)?.lineage.has(CodeSymbol.name) ?? false;
  return [
    ...ids.flatMap((from, at) =>
      (calls[at] ?? []).flatMap(({ far: to, farType }) => (isSymbolType(farType) ? [{ from, to }] : [])),
    ),
    ...routes.flatMap((from, at) =>
      (runs[at] ?? []).flatMap(({ far: to, farType, props }) =>
        props.access === RUN && isSymbolType(farType) ? [{ from, to }] : [],
      ),
    ),
  ];
}

/** The edges that {@link calleeHops} follow from these to some of `far`, in their order. Records of others are not read. */
export async function callsBetween(
  { entries, entryEdges }: Look & Pick<ReadContext, 'entryEdges'>,
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
  { entries, entryEdges }: Look & Pick<ReadContext, 'entryEdges'>,
  ids: readonly string[],
): Promise<CallRef[]> {
  const calls = ids.length === 0 ? [] : await entries(ids, 'in', SymbolCallsSymbol);
  const steps = ids.flatMap((node, at) => (calls[at] ?? []).map((entry) => ({ node, entry })));
  return (await entryEdges(steps)).flatMap((edge) => callRef(edge) ?? []);
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
