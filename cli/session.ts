import type { WalkerSignature } from '../host/index.js';
import { projectRootOf, userHome } from '../host/index.js';
import { CodewalkError } from '../schema/index.js';
import { checkRoot } from '../source/index.js';
import type { GlobalFlags } from './flags.js';
import type { Terminal } from './terminal.js';

/** The user's own walkers. */
export interface OwnWalkers {
  /** Absolute. */
  readonly folders: readonly string[];
  readonly signatures: readonly WalkerSignature[];
}

/** What one invocation of the command line knows. */
export interface Session {
  readonly terminal: Terminal;
  readonly own: OwnWalkers;
  /** Aborts when the user interrupts. */
  readonly signal: AbortSignal;
}

/**
 * The root that a command is about (ruling X-33): what was given explicitly, else what holds the working directory.
 *
 * @throws CodewalkError `INVALID_INPUT` when PATH and --root name two; `INVALID_ROOT` for a task in its place.
 */
export function rootOf(session: Session, flags: GlobalFlags, path?: string): string {
  if (path !== undefined && flags.root !== undefined && path !== flags.root)
    throw new CodewalkError('INVALID_INPUT', `PATH is '${path}' and --root is '${flags.root}'`, {
      suggestion: 'Give one of the two.',
    });
  if (path?.startsWith('task:'))
    throw new CodewalkError('INVALID_ROOT', `'${path}' is a task, no folder`, {
      input: path,
      suggestion: `'codewalk show ${path}' shows it.`,
    });
  return path ?? flags.root ?? projectRootOf(session.terminal.cwd, { home: flags.home });
}

/**
 * The real path of a root; a graph in memory has none.
 *
 * @throws CodewalkError `INVALID_ROOT`, `ROOT_REFUSED`.
 */
export function checkedRoot({ terminal }: Session, root: string, { force = false }: GlobalFlags): string {
  if (root === ':memory:') return root;
  return checkRoot(root, { force, cwd: terminal.cwd, home: userHome() });
}
