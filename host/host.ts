import { z } from 'zod';
import type {
  Access,
  Caller,
  Progress,
  RunFigures,
  Sharing,
  Truncation,
  WalkerExample,
} from '../runtime/index.js';
import type { MadeBackup } from './backups/index.js';
import { FilesState } from './freshness/fresh-state.js';
import type { Spool } from './spool.js';

/** What every answer says of itself (spec P-01). */
export const AnswerState = z.object({
  /** The root that the answer is about; null for a graph in memory. */
  root: z.string().nullable(),
  /** The deepest indexed root above it; absent where there is none. */
  enclosing_root: z.string().optional(),
  /** The revision of the graph that the answer speaks of. */
  revision: z.number().int(),
  ...FilesState.shape,
  /** Unresolved candidates behind what was asked; null where the question has none. */
  unresolved: z.number().int().nullable(),
  /** What was left out, and how to get it. */
  cut: z.array(z.string()),
  /** Gives the next rows as the input `cursor` of the same question; absent where these are the last. */
  cursor: z.string().optional(),
});
export type AnswerState = z.infer<typeof AnswerState>;

/** The walker's output, or its reports, with `state`. */
export type AnswerBody = Record<string, unknown> & { readonly state: AnswerState };

/** The forms of an answer: each has the whole budget, and is cut by its own size (P-02). */
export type AnswerForm = 'json' | 'markdown';

/** The answer of a walker as interfaces give it: as JSON and as Markdown, so far as each was asked for. */
export interface Answer {
  /** What the Markdown shows where no JSON was asked for. */
  readonly body: AnswerBody;
  /** For people and models; empty where it was not asked for. */
  readonly markdown: string;
  readonly truncated: Truncation | null;
  readonly figures: RunFigures;
}

/** JSON Schema as plain data. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** A walker as plain data, all that an interface needs to know of it: it crosses processes, and the build saves ours. */
export interface WalkerSignature {
  readonly name: string;
  readonly description: string;
  readonly access: Access;
  /** Of its input, as callers write it: fields with a default are not required. */
  readonly input: JsonSchema;
  /** Of its whole answer, with `state`. */
  readonly output: JsonSchema;
  readonly examples: readonly WalkerExample[];
}

/** One request: spawn a walker on a project. Plain data: it crosses threads and processes. */
export interface SpawnRequest {
  /** A walker's name, or its command. */
  readonly walker: string;
  /** The checked real path of the root (the caller applies ruling X-33). */
  readonly root: string;
  /** The walker's own fields, not validated yet. A field {@link ROOT_FIELD} is filled in with the root. */
  readonly input: Readonly<Record<string, unknown>>;
  /** What the caller gave, for `provided_input`. Default: the input. */
  readonly given?: unknown;
  /** Fields that the interface takes in addition to the walker's own, for the suggestion of an error. */
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
  /** Who asks: what is remembered says where it was made. Default: not known. */
  readonly caller?: Caller;
  /** See `RunOptions.requestId`. Default: a host that may have to send the request again makes one. */
  readonly requestId?: string;
  /** Absolute folders of the caller's own walkers. */
  readonly userWalkers?: readonly string[];
  /** Whether the work outlives a caller that goes away, where the walker commits in steps (an index). Default false. */
  readonly detached?: boolean;
  /** Reports go, as JSON lines, to a file of the host's instead of into the answer: see {@link Spawned}. Default false. */
  readonly spool?: boolean;
}

/** What the caller of a request wants to hear of, and how it takes the request back. */
export interface SpawnOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called with what the code of users' walkers prints. Default: it goes to the host's own stderr. */
  readonly onPrint?: (text: string) => void;
  /** See `RunOptions`; these three only where the walker runs in the caller's thread. */
  readonly onAbility?: () => void;
  readonly sharing?: Sharing;
  readonly elapsedMs?: number;
}

/** The answer of a request. */
export interface Spawned extends Answer {
  /** Null where the request asked for none. */
  readonly spool: Spool | null;
}

/** Runs walkers: this process, or the daemon. Interfaces know nothing else of where a graph is open. */
export interface Host extends AsyncDisposable {
  /**
   * Runs a walker and makes its answer.
   *
   * @throws CodewalkError as the run does; `BUSY` with `retryAfterMs` when too much is waiting; `WALKER_KILLED` when
   * it had to be ended from outside.
   */
  spawn(request: SpawnRequest, options?: SpawnOptions): Promise<Spawned>;
  /**
   * The signatures of the walkers in users' own folders (absolute). Runs their code: only for folders that the user named.
   *
   * @param deadlineMs Milliseconds that each file gets to load; null: `LIMITS.walkerLoading`.
   * @throws CodewalkError `WALKER_INVALID` naming the file (or folder) and why.
   */
  describe(folders: readonly string[], deadlineMs: number | null): Promise<readonly WalkerSignature[]>;
  /** Closes whatever is open of a root and of all that share its trace store, so that its stores can be moved. */
  release(root: string): Promise<void>;
  /**
   * Makes a backup of a root's traces and memories, while others go on with them.
   *
   * @throws CodewalkError `PROJECT_NOT_INDEXED`, `STORE_FULL`.
   */
  backup(root: string): Promise<MadeBackup>;
  /** Takes in what waits in the journal. */
  drain(): Promise<void>;
  close(): Promise<void>;
}
