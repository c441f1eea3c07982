import { join } from 'node:path';
import {
  type FollowUp,
  type Limits,
  type RunOptions,
  TooLongHere,
  type WalkerType,
} from '../runtime/index.js';
import { CodewalkError, toCodewalkError, toolEntry, wrongInput } from '../schema/index.js';
import { answer } from './answer.js';
import { pausedBy } from './config.js';
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
  readonly freshness?: (graph: OpenGraph) => Pick<Freshness, 'before' | 'run' | 'found'>;
  readonly home: string;
  /** Runs what an answer leaves to be written down: nobody waits for it, and it may fail. */
  readonly afterwards: (due: FollowUp, graph: OpenGraph) => void;
}

/**
 * The input of a request, with its root where the walker takes one.
 *
 * @throws CodewalkError `INVALID_INPUT` naming the field, with the fields that there are.
 */
export function checkedInput(walker: WalkerType, request: SpawnRequest): Record<string, unknown> {
  const ownRoot = ROOT_FIELD in walker.input.shape ? { [ROOT_FIELD]: request.root } : {};
  const input = { ...request.input, ...ownRoot };
  const parsed = walker.input.safeParse(input);
  if (parsed.success) return input;
  const fields = [...Object.keys(walker.input.shape), ...(request.faceFields ?? [])];
  throw wrongInput(walker.name, parsed.error, fields, input, request.given ?? input);
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
  const input = checkedInput(walker, request);
  if (walker.name === 'etg_log_event') refuseWhilePaused(request, place.home);
  const spool = request.spool ? spoolInto(join(place.home, 'spool')) : null;
  try {
    const graph = await place.open();
    const run: RunOptions = {
      ...options,
      limits: limitsOf(request.limits),
      ...(request.caller ? { caller: request.caller } : {}),
      ...(request.requestId ? { requestId: request.requestId } : {}),
      ...(spool ? { onReport: (report: unknown) => spool.write(lineOf(report)), keepReports: false } : {}),
    };
    const answered = await answer(graph, walker, input, run, place.freshness?.(graph), request.forms);
    const due = walker.afterwards?.(answered.body as never);
    if (due) place.afterwards(due, graph);
    return { ...answered, spool: spool?.finish() ?? null };
  } catch (thrown) {
    spool?.abandon();
    if (thrown instanceof TooLongHere) throw thrown;
    throw failureOf(thrown, walker, input);
  }
}

/** A report on a line of its own: a text as it is, anything else as JSON. */
function lineOf(report: unknown): string {
  return typeof report === 'string' ? report : JSON.stringify(report);
}

/** @throws CodewalkError `RECORDING_PAUSED` */
function refuseWhilePaused({ root, given, input }: SpawnRequest, home: string): void {
  const by = root === ':memory:' ? null : pausedBy(root, { home });
  if (by === null) return;
  const what = by === 'all' ? 'Recording is paused' : `Recording is paused in ${root}`;
  throw new CodewalkError('RECORDING_PAUSED', `${what}: the event was not stored`, {
    input: given ?? input,
    suggestion: by === 'all' ? "'codewalk resume --all' goes on." : `'codewalk resume ${root}' goes on.`,
  });
}

function limitsOf(given: SpawnRequest['limits'] = {}): Partial<Limits> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value ?? Number.POSITIVE_INFINITY]),
  );
}

/**
 * What a face answers when a run threw: our own errors as they are; what the code of somebody's walker threw as
 * `WALKER_FAILED` that names the walker; what ours threw as `INTERNAL`.
 *
 * @param input what the walker was given, for `provided_input`.
 */
function failureOf(thrown: unknown, walker: WalkerType, input: unknown): CodewalkError {
  if (thrown instanceof CodewalkError || toolEntry(walker.name)) return toCodewalkError(thrown);
  const message = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new CodewalkError('WALKER_FAILED', `The walker '${walker.name}' threw ${message}`, {
    input,
    suggestion: "The error is the walker's own. CODEWALK_DEBUG=1 shows where it was thrown.",
    cause: thrown,
  });
}
