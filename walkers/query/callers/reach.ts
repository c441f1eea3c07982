import { compareText, type ReadContext } from '../../../runtime/index.js';
import { append } from '../../../schema/index.js';
import { isNamed } from '../../find-symbol.js';
import { calledBy, callersOf } from '../parts/calls.js';
import { qualifiedName } from '../parts/code-node.js';
import { type CallThrough, callsThrough } from '../parts/dispatch.js';

/** Everything that calls some targets. */
export interface Reach {
  readonly targets: ReadonlySet<string>;
  /** How many calls away from the nearest target each caller is; a target too, where calls lead from it to one. */
  readonly distances: ReadonlyMap<string, number>;
  /** Callers that reach it through another member alone. */
  readonly indirect: ReadonlySet<string>;
  /** By the caller's id: its calls that reach something one call nearer to a target through another member. */
  readonly through: ReadonlyMap<string, readonly CallThrough[]>;
}

/**
 * Finds all callers up to so many calls away, those through base classes and interfaces included.
 *
 * @param dispatched The targets that are also looked for through others.
 */
export async function reachOf(
  context: Pick<ReadContext, 'q' | 'entries' | 'entryEdges' | 'nodesOf'>,
  targets: readonly string[],
  dispatched: readonly string[],
  depth: number,
): Promise<Reach> {
  const distances = new Map<string, number>();
  const through = new Map<string, CallThrough[]>();
  const direct = new Set<string>();
  let frontier = targets;
  for (let distance = 1; distance <= depth && frontier.length > 0; distance++) {
    const here = new Set(frontier);
    const calls = await callsThrough(context, distance === 1 ? dispatched : frontier);
    const indirect = calls.filter(({ to }) => !here.has(to));
    const callers = (await callersOf(context, frontier)).filter((id) => !distances.has(id));
    for (const id of callers) direct.add(id);
    const others = indirect.map(({ from }) => from).filter((id) => !distances.has(id));
    const next = [...new Set([...callers, ...others])];
    for (const id of next) distances.set(id, distance);
    for (const call of indirect) if (distances.get(call.from) === distance) append(through, call.from, call);
    frontier = next;
  }
  const indirect = new Set([...distances.keys()].filter((id) => !direct.has(id)));
  return { targets: new Set(targets), distances, indirect, through };
}

/** Whether something is so many calls away from the nearest target; a target is none away, also where it is a caller too. */
export function isAway({ targets, distances }: Reach, id: string, distance: number): boolean {
  return distance === 0 ? targets.has(id) : distances.get(id) === distance;
}

/**
 * A shortest chain of calls for each caller, by qualified names: it first, a target last. Of several the one whose steps
 * have the smallest ids.
 */
export async function callChains(
  context: Pick<ReadContext, 'q' | 'nodes'>,
  reach: Reach,
  callers: readonly string[],
): Promise<string[][]> {
  // One read for all of them; what follows finds it in memory.
  await calledBy(context, callers);
  const nextOf = new Map<string, string>();
  const nearer = async (id: string, distance: number): Promise<string> => {
    const reached = (reach.through.get(id) ?? []).map(({ reaches }) => reaches);
    const all = [...(await calledBy(context, [id])), ...reached];
    const [next = id] = all.filter((one) => isAway(reach, one, distance)).sort(compareText);
    nextOf.set(id, next);
    return next;
  };
  const chains: string[][] = [];
  for (const caller of callers) {
    const chain = [caller];
    let at = caller;
    for (let left = reach.distances.get(caller) ?? 0; left > 0; left--) {
      at = nextOf.get(at) ?? (await nearer(at, left - 1));
      chain.push(at);
    }
    chains.push(chain);
  }
  const names = await namesOf(context, chains.flat());
  return chains.map((chain) => chain.map((id) => names.get(id) ?? id));
}

/** The qualified names of nodes, by id. */
export async function namesOf(
  { nodes }: Pick<ReadContext, 'nodes'>,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const found = (await nodes([...new Set(ids)])).filter((node) => node !== undefined);
  return new Map(found.filter(isNamed).map((node) => [node.id, qualifiedName(node)]));
}
