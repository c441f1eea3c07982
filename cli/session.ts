import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  graphsFolderOf,
  type Host,
  hostAt,
  knownRoot,
  projectRootOf,
  userHome,
  type WalkerSignature,
} from '../host/index.js';
import { CodewalkError } from '../schema/index.js';
import { checkRoot } from '../source/index.js';
import type { GlobalFlags } from './flags.js';
import type { Terminal } from './terminal.js';

/** How the command line ends: 2 says that the command line itself is wrong, 3 that a limit of the user is exceeded. */
export const EXIT = { ok: 0, failure: 1, usage: 2, exceeded: 3, interrupted: 130 } as const;

/** The folder of the built package: this file is one folder below the package, built or not. */
export const DIST = fileURLToPath(new URL('../dist', import.meta.url));

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

/** What runs the walkers of a command. Nothing is loaded, started or opened before it is asked for something. */
export function hostFor({ home, embedded = false }: Pick<GlobalFlags, 'home' | 'embedded'>): Host {
  return hostAt({
    home: graphsFolderOf({ home }),
    embedded,
    agents: async () => (await import('../hooks/index.js')).agents,
  });
}

/**
 * The root that a command is about: what was given explicitly, else what holds the working directory.
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

/** A root as the user named it; it may have vanished. Default: the project that holds the working directory. */
export function namedRoot({ terminal: { cwd } }: Session, { home }: GlobalFlags, path?: string): string {
  return path === undefined ? projectRootOf(cwd, { home }) : knownRoot(resolve(cwd, path));
}
