import type { LoadedWalkers, OpenGraph } from '../host/index.js';
import { absentFor, openGraph, projectRootOf, type WalkerRegistry } from '../host/index.js';
import type { RunOptions, WalkerType } from '../runtime/index.js';
import { CodewalkError } from '../schema/index.js';
import type { Terminal } from './terminal.js';
import type { Heartbeat } from './watchdog/heartbeat.js';

/** Flags that every command takes. */
export interface GlobalFlags {
  readonly json?: boolean;
  readonly trace?: boolean;
  readonly force?: boolean;
  readonly quiet?: boolean;
  /** False: no progress bar. */
  readonly progress?: boolean;
  readonly root?: string;
  readonly home?: string;
  /** Seconds. */
  readonly deadline?: number;
}

/** What one invocation of the command line knows. */
export interface Session {
  readonly terminal: Terminal;
  /** The built-in walkers and the user's own. */
  readonly registry: WalkerRegistry;
  readonly loaded: LoadedWalkers;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
  readonly heartbeat: Heartbeat;
}

/**
 * The root that a command is about (ruling X-33): what was given explicitly, else what holds the working directory.
 *
 * @throws CodewalkError `INVALID_INPUT` when PATH and --root name two.
 */
export function rootOf(session: Session, flags: GlobalFlags, path?: string): string {
  if (path !== undefined && flags.root !== undefined && path !== flags.root)
    throw new CodewalkError('INVALID_INPUT', `PATH is '${path}' and --root is '${flags.root}'`, {
      suggestion: 'Give one of the two.',
    });
  return path ?? flags.root ?? projectRootOf(session.terminal.cwd, { home: flags.home });
}

/** Opens the graph of a root for a walker, and closes it whatever comes. One that only reads makes no graph. */
export async function withGraph<T>(
  { loaded }: Session,
  root: string,
  flags: GlobalFlags,
  walker: WalkerType,
  body: (graph: OpenGraph) => Promise<T>,
): Promise<T> {
  const graph = await openGraph(root, {
    walkers: loaded.walkers,
    archetypes: loaded.archetypes,
    arrivals: loaded.arrivals,
    force: flags.force ?? false,
    absent: absentFor(walker),
    ...(flags.home === undefined ? {} : { home: flags.home }),
  });
  try {
    return await body(graph);
  } finally {
    await graph.close();
  }
}

/** What the flags say of a run. */
export function runOptions(
  session: Session,
  flags: GlobalFlags,
  limits: RunOptions['limits'] = {},
): RunOptions {
  const deadline = flags.deadline === undefined ? {} : { deadlineMs: flags.deadline * 1000 };
  return { signal: session.signal, limits: { ...limits, ...deadline } };
}
