import type { Caller, Progress, RunFigures, Sharing, Truncation } from '../runtime/index.js';
import type { Answer, AnswerForm } from './answer.js';
import type { MadeBackup } from './backups/make-backup.js';
import type { WalkerSignature } from './signature.js';
import type { Spool } from './spool.js';

/** One request: spawn a walker on a project. Plain data: it crosses threads and processes. */
export interface SpawnRequest {
  /** A walker's name, or its command. */
  readonly walker: string;
  /** The checked real path of the root (ruling X-33 is applied by whoever asks). */
  readonly root: string;
  /** The walker's own fields, not validated yet. A field {@link ROOT_FIELD} is filled in with the root. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What the caller gave, for `provided_input`. Default: the input. */
  readonly given?: unknown;
  /** Fields that the face takes beside the walker's own, for the suggestion of an error. */
  readonly faceFields?: readonly string[];
  /** The forms of the answer that are wanted. Default: both. */
  readonly forms?: readonly AnswerForm[];
  /** Take a root that is `/`, a drive root or a home directory (spec P-05). Default false. */
  readonly force?: boolean;
  /** Bounds of the run; null: unbounded. Default: the host's own. */
  readonly limits?: {
    readonly deadlineMs?: number | null;
    readonly maxVisits?: number | null;
    readonly maxBytes?: number | null;
  };
  /** Who asks: what is remembered says where it was made. Default: nobody known. */
  readonly caller?: Caller;
  /** See `RunOptions.requestId`. Default: whoever may have to send it again makes one. */
  readonly requestId?: string;
  /** Absolute folders of the caller's own walkers. */
  readonly userWalkers?: readonly string[];
  /**
   * Whether the work outlives a caller that goes away or gives up, where the walker commits in steps (an index). Default
   * false.
   */
  readonly detached?: boolean;
  /** Reports go, as JSON lines, to a file of the host's instead of into the answer: see {@link Spawned}. Default false. */
  readonly spool?: boolean;
}

/** What the caller of a request wants to hear of, and how it takes the request back. */
export interface SpawnOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called with what the code of people's walkers prints. Default: it goes to the host's own stderr. */
  readonly onPrint?: (text: string) => void;
  /** See `RunOptions.onAbility`; only where the walker runs in the caller's thread. */
  readonly onAbility?: () => void;
  /** See `RunOptions.sharing` and `RunOptions.elapsedMs`; only where the walker runs in the caller's thread. */
  readonly sharing?: Sharing;
  readonly elapsedMs?: number;
}

/** The answer of a request. */
export interface Spawned extends Answer {
  readonly truncated: Truncation | null;
  readonly figures: RunFigures;
  /** Null where the request asked for none. */
  readonly spool: Spool | null;
}

/** Who runs walkers: this process, or the daemon. Faces know nothing else of where a graph is open. */
export interface Host extends AsyncDisposable {
  /**
   * Runs a walker and makes its answer.
   *
   * @throws CodewalkError as the run does; `BUSY` with `retryAfterMs` when too much is waiting; `WALKER_KILLED` when
   * it had to be ended from outside.
   */
  spawn(request: SpawnRequest, options?: SpawnOptions): Promise<Spawned>;
  /**
   * The signatures of the walkers in people's own folders. Runs their code: only for folders that the user named.
   *
   * @param folders Absolute.
   * @param deadlineMs Milliseconds that each file gets to load; null: `LIMITS.walkerLoading`.
   * @throws CodewalkError `WALKER_INVALID` naming the file (or folder) and why.
   */
  describe(folders: readonly string[], deadlineMs: number | null): Promise<readonly WalkerSignature[]>;
  /** Closes whatever is open of a root and of all that share its history, so that its stores can be moved. */
  release(root: string): Promise<void>;
  /**
   * Makes a backup of a root's history, while others go on with it.
   *
   * @throws CodewalkError `PROJECT_NOT_INDEXED`, `STORE_FULL`.
   */
  backup(root: string): Promise<MadeBackup>;
  /** Takes in what waits in the journal. */
  drain(): Promise<void>;
  close(): Promise<void>;
}
