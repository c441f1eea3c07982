import type { Limits, RunOptions } from '../runtime/index.js';
import { answer } from './answer.js';
import { checkInput } from './check-input.js';
import { failureOf } from './failure.js';
import type { Freshness } from './freshness/freshness.js';
import type { Spawned, SpawnOptions, SpawnRequest } from './host.js';
import type { OpenGraph } from './open-graph.js';
import { ROOT_FIELD } from './project-root.js';
import type { WalkerRegistry } from './registry.js';
import { spoolInto } from './spool.js';

/** What a request runs in. */
export interface SpawnPlace {
  readonly walkers: WalkerRegistry;
  /** Opens the graph of the request; called once its input has been checked. */
  readonly open: () => Promise<OpenGraph>;
  /** Brings a graph up to date before an answer about code. Default: nobody looks at the files. */
  readonly freshness?: (graph: OpenGraph) => Freshness;
  /** The folder of spool files. */
  readonly spoolFolder: string;
}

/**
 * Runs a request on a graph. Its input is checked before the graph is opened: a wrong call costs nothing and makes
 * nothing.
 *
 * @throws CodewalkError as {@link Host.spawn}.
 */
export async function spawnOn(
  place: SpawnPlace,
  request: SpawnRequest,
  options: SpawnOptions = {},
): Promise<Spawned> {
  const walker = place.walkers.get(request.walker);
  const ownRoot = ROOT_FIELD in walker.input.shape ? { [ROOT_FIELD]: request.root } : {};
  const input = { ...request.input, ...ownRoot };
  checkInput(walker, input, request.faceFields ?? [], request.given ?? input);
  const spool = request.spool ? spoolInto(place.spoolFolder) : null;
  try {
    const graph = await place.open();
    const run: RunOptions = {
      ...options,
      limits: limitsOf(request.limits),
      ...(spool
        ? { onReport: (report: unknown) => spool.write(JSON.stringify(report)), keepReports: false }
        : {}),
    };
    const answered = await answer(graph, walker, input, run, place.freshness?.(graph));
    return { ...answered, spool: spool?.finish() ?? null };
  } catch (thrown) {
    spool?.abandon();
    throw failureOf(thrown, walker, input);
  }
}

function limitsOf(given: SpawnRequest['limits'] = {}): Partial<Limits> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value ?? Number.POSITIVE_INFINITY]),
  );
}
