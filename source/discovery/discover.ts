import { setImmediate as nextTurn } from 'node:timers/promises';
import { CodewalkError } from '../../schema/index.js';
import { diskFileSystem, errorCode, type FileStatus, type FileSystem, isMissing } from '../file-system.js';
import { comparePaths, type Platform, platformOf } from '../paths.js';
import { DirectoryWalk, type Folder, type KnownFile } from './directory-walk.js';
import { readGlobs } from './globs.js';
import { rootRules } from './ignore-files.js';
import { DISCOVERY_LIMITS, type DiscoveryLimits } from './limits.js';
import type { Discovery } from './reasons.js';
import { type TrackedFiles, trackedFiles } from './tracked-files.js';

/** How to discover. */
export interface DiscoverOptions {
  /**
   * The language that extracts a file, by its path; null when none does. The registry's `languageOf` fits:
   * passed in, so that discovery loads no parser.
   */
  readonly languageOf: (path: string) => { readonly name: string } | null;
  /**
   * When given, only files that match are taken. A glob that names a vendored folder by its name brings it back.
   * Never overrides ignore files, `exclude`, or secret files.
   */
  readonly include?: readonly string[];
  /** What matches is not taken. */
  readonly exclude?: readonly string[];
  /**
   * Only what stands at these paths and beneath them is decided, by the same rules: of other folders no more is
   * read than their names and ignore files. Root-relative, `/`, NFC; `''` is everything. Default: everything.
   */
  readonly only?: readonly string[];
  /**
   * What was decided of a file before, when its status says that it has not changed since: then it is not opened.
   * Null: not known. Default: nothing is known.
   */
  readonly known?: (path: string, status: FileStatus) => KnownFile | null;
  /** Default {@link DISCOVERY_LIMITS}, each one by itself. */
  readonly limits?: Partial<DiscoveryLimits>;
  /** Default: the disk. */
  readonly fs?: FileSystem;
  /** Default: this machine's. */
  readonly platform?: Platform;
  /** Ends the run with CANCELLED, between two folders and within some 500 entries. */
  readonly signal?: AbortSignal;
  /** Asked after every entry: a promise where it is time that others have their turn. Default: now and then it is. */
  readonly pause?: () => Promise<void> | undefined;
  /** Called now and then with the number of entries decided so far. */
  readonly onProgress?: (decided: number) => void;
}

/** Entries decided before the event loop gets its turn: few enough for a progress bar and an abort. */
const ENTRIES_PER_TURN = 500;

/**
 * Decides every file under a root: taken (with its language, extracted or not) or skipped (with the reason). The same
 * tree gives the same answer on every machine, whatever order folders are listed in, with and without `.git`: what git
 * tracks although an ignore rule matches it, and `.git/info/exclude`, apart. The user's global gitignore is not read: it is not part of the repository, and the
 * graph would differ from a colleague's.
 *
 * @param root absolute, already checked (`checkRoot`).
 * @throws INVALID_ROOT when the root cannot be listed, INVALID_INPUT for a glob that is empty or negated, CANCELLED.
 */
export async function discover(root: string, options: DiscoverOptions): Promise<Discovery> {
  const { fs = diskFileSystem, platform = platformOf(), signal, onProgress, pause } = options;
  const realRoot = rootDo(root, () => fs.realPath(root));
  let tracked: TrackedFiles | null = null;
  const walk = new DirectoryWalk({
    fs,
    platform,
    languageOf: options.languageOf,
    include: readGlobs(options.include ?? []),
    exclude: readGlobs(options.exclude ?? []),
    limits: { ...DISCOVERY_LIMITS, ...options.limits },
    realRoot,
    tracked: {
      has: (path) => {
        tracked ??= trackedFiles(realRoot, platform, fs);
        return tracked.has(path);
      },
    },
    only: wanted(options.only ?? ['']),
    known: options.known ?? (() => null),
  });

  throwIfCancelled(signal, root);
  const inRoot = rootDo(root, () => [...walk.list(walk.start(rootRules(realRoot, platform, fs)))]);
  const waiting: Folder[] = inRoot.filter((inner) => inner !== null);
  let reported = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const inner of walk.list(folder)) {
      if (inner !== null) waiting.push(inner);
      const turn = pause?.();
      if (turn) await turn;
    }
    if (walk.decided - reported >= ENTRIES_PER_TURN) {
      reported = walk.decided;
      onProgress?.(reported);
      await nextTurn();
      throwIfCancelled(signal, root);
    }
  }
  onProgress?.(walk.decided);
  return {
    root: realRoot,
    files: walk.files.sort((left, right) => comparePaths(left.path, right.path)),
    skipped: walk.skipped.sort(
      (left, right) => comparePaths(left.path, right.path) || comparePaths(left.detail, right.detail),
    ),
    folders: walk.folders,
  };
}

/** Whether a path is one of these, beneath one, or on the way to one. */
function wanted(only: readonly string[]): Pick<ReadonlySet<string>, 'has'> {
  if (only.includes('')) return { has: () => true };
  const asked = new Set(only);
  const onTheWay = new Set(only.flatMap(foldersAbove));
  return {
    has: (path) => asked.has(path) || onTheWay.has(path) || foldersAbove(path).some((at) => asked.has(at)),
  };
}

/** The folders above a path, without the root. */
export function foldersAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join('/'));
}

function rootDo<T>(root: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (errorCode(error) === '') throw error;
    const why = isMissing(error) ? 'is not a directory that exists' : `cannot be read (${errorCode(error)})`;
    throw new CodewalkError('INVALID_ROOT', `The root "${root}" ${why}.`, { input: root, cause: error });
  }
}

function throwIfCancelled(signal: AbortSignal | undefined, root: string): void {
  if (signal?.aborted) throw new CodewalkError('CANCELLED', `Discovery of "${root}" was cancelled.`);
}
