import { z } from 'zod';
import type { Access, Progress, RunFigures, Sharing, Truncation, WalkerExample } from '../runtime/index.js';
import { isRecord } from '../schema/index.js';
import type { MadeBackup } from './backups/make-backup.js';
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

/** A number of a limit; null: unbounded. */
const Bound = z.number().positive().nullable().exactOptional();
const Name = z.string().min(1);

/** One request: spawn a walker on a project. Plain data: it crosses threads and processes. */
export const SpawnRequest = z.object({
  /** A walker's name, or its command. */
  walker: Name,
  /** The checked real path of the root (the caller applies ruling X-33). */
  root: Name,
  /** The walker's own fields, not validated yet. A field {@link ROOT_FIELD} is filled in with the root. */
  input: z.custom<Readonly<Record<string, unknown>>>(isRecord),
  /** What the caller gave, for `provided_input`. Default: the input. */
  given: z.unknown().exactOptional(),
  /** Fields that the interface takes in addition to the walker's own, for the suggestion of an error. */
  faceFields: z.array(z.string()).readonly().exactOptional(),
  /** The forms of the answer that are wanted. Default: both. */
  forms: z
    .array(z.enum(['json', 'markdown']))
    .readonly()
    .exactOptional(),
  /** Take a root that is `/`, a drive root or a home directory (spec P-05). Default false. */
  force: z.boolean().exactOptional(),
  /** Bounds of the run; null: unbounded. Default: the host's own. */
  limits: z.object({ deadlineMs: Bound, maxVisits: Bound, maxBytes: Bound }).exactOptional(),
  /** Who asks: what is remembered says where it was made. Default: not known. */
  caller: z.object({ directory: z.string().nullable(), session: z.string().nullable() }).exactOptional(),
  /** See `RunOptions.requestId`. Default: a host that may have to send the request again makes one. */
  requestId: Name.max(100).exactOptional(),
  /** Absolute folders of the caller's own walkers. */
  userWalkers: z.array(z.string()).readonly().exactOptional(),
  /** Whether the work outlives a caller that goes away, where the walker commits in steps (an index). Default false. */
  detached: z.boolean().exactOptional(),
  /** A person only looks: what is shown does not count as used. Default false. */
  browsing: z.boolean().exactOptional(),
  /** Reports go, as JSON lines, to a file of the host's instead of into the answer: see {@link Spawned}. Default false. */
  spool: z.boolean().exactOptional(),
});
export type SpawnRequest = Readonly<z.infer<typeof SpawnRequest>>;

/** What a hook sends: the payload that its client gave it, and where it was run. */
const HookAsk = z.object({ client: Name, payload: z.string(), place: z.enum(['root', 'cwd']), path: Name });
export type HookAsk = Readonly<z.infer<typeof HookAsk>>;

const yes = z.literal(true);

/** What a host is asked over a transport, as plain data. */
export const Ask = z.union([
  z.object({ spawn: SpawnRequest }),
  z.object({
    describe: z.array(z.string()).readonly(),
    deadlineMs: z.number().positive().nullable().default(null),
  }),
  z.object({ release: Name }),
  z.object({ backup: Name }),
  z.object({ drain: yes }),
  z.object({ status: yes }),
  /** What a client's hook is to print. */
  z.object({ hook: HookAsk }),
  /** Ends the daemon at once: what runs is cancelled. */
  z.object({ stop: yes }),
  /** Makes way for a newer daemon: what runs comes to its end first. */
  z.object({ retire: yes }),
]);
export type Ask = z.infer<typeof Ask>;

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
