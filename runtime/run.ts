import { CodewalkError } from '../schema/index.js';
import type { Progress } from './context.js';
import type { Reached } from './reached.js';
import type { Location } from './refs.js';
import type { Sharing } from './stretches.js';
import type { OutputOf, ReportOf, StateOf, WalkerInstance, WalkerType } from './walker.js';

/** Timers cannot wait longer: about 24 days. */
export const LONGEST_TIMER = 2 ** 31 - 1;

/** Bounds of one run. */
export interface Limits {
  /** Milliseconds from the start of the run; of one that commits in steps, where its caller names none, from its last report of progress. */
  readonly deadlineMs: number;
  /** Locations entered, nested walks included. */
  readonly maxVisits: number;
  /** Bytes of reports, as JSON. */
  readonly maxBytes: number;
}

/** Why a run ended before its walk had drained. */
export interface Truncation {
  readonly by: 'deadline' | 'visits' | 'bytes';
  /** The limit that was hit, in its own unit. */
  readonly limit: number;
}

/** A limit as people read it: `1 ms`, `5,000,000 visits`, `10 bytes`. */
export function limitText({ by, limit }: Truncation): string {
  return `${limit.toLocaleString('en-US')} ${by === 'deadline' ? 'ms' : by}`;
}

/** What a run cost: what `--trace` prints. */
export interface RunFigures {
  /** Locations entered, nested walks included. */
  visits: number;
  /** Reads and writes that went to the stores. */
  roundTrips: number;
  milliseconds: number;
  /** How often a conflict made the run start again. */
  replays: number;
}

/** The outcome of one walk. */
export interface WalkResult<W = WalkerType> {
  /** In report order; those of nested walks in their place. */
  readonly reports: ReportOf<W>[];
  /** The walker's fields as the walk left them. */
  readonly state: StateOf<W>;
  /** The locations entered, in order; none of a walk by frontiers. */
  readonly path: Location[];
  /** The nodes and edges that the walk reached, with distances and ways. */
  readonly reached: Reached;
  /** Whether `disengage` ended it. */
  readonly disengaged: boolean;
  readonly truncated: Truncation | null;
  /** Spawn this to go on with the same fields. */
  readonly walker: WalkerInstance<W extends WalkerType ? W : WalkerType>;
}

/** The outcome of a run: a walk, its answer and its cost. */
export interface RunResult<W = WalkerType> extends WalkResult<W> {
  /** What the walker's `finish` answered; undefined without one. */
  readonly output: OutputOf<W>;
  readonly figures: RunFigures;
  /** The graph's revision that the run read (and, when it wrote, made). */
  readonly revision: number;
}

/** Who asks for a run, as far as it is known. */
export interface Caller {
  /** Where it works; absolute. */
  readonly directory: string | null;
  /** An agent's own name for its conversation. */
  readonly session: string | null;
}

/** What a caller may say of a run. */
export interface RunOptions {
  /** Default: nobody known. */
  readonly caller?: Caller;
  /** Tells this request from all others, and is the same where it is sent again since its answer was lost. Default: none. */
  readonly requestId?: string;
  readonly limits?: Partial<Limits>;
  readonly signal?: AbortSignal;
  /** Called with each report as it is made. After a conflict a run starts again, and so does the stream. */
  readonly onReport?: (report: unknown) => void;
  readonly onProgress?: (progress: Progress) => void;
  /** How the run shares its thread with others. Default: it has the thread to itself. */
  readonly sharing?: Sharing;
  /** Milliseconds that the run has taken in another thread already. They count for its deadline. Default 0. */
  readonly elapsedMs?: number;
  /** Called before each stretch of a walker's code: who watches a thread from outside learns what runs in it. */
  readonly onAbility?: () => void;
  /** False: reports only go to `onReport`, and the result has none: for streams that memory must not hold. Default true. */
  readonly keepReports?: boolean;
}

/** The bounds and counters that all walks of one run share. */
export class RunScope {
  readonly limits: Limits;
  readonly reports: unknown[] = [];
  readonly options: RunOptions;
  visits = 0;
  truncated: Truncation | null = null;
  /** Whether the run is over, done or given up: its contexts are dead. */
  ended = false;
  readonly #started: number;
  readonly #clock: () => number;
  /** When the time of the run began; null: it began with the run, whatever is reported. */
  #progressed: number | null;
  #bytes = 0;
  #signal: AbortSignal | null = null;

  /**
   * @param started By the clock; default: now. A run that is replayed has one deadline for all attempts.
   * @param inSteps Whether it commits in steps: what it made stays, so it may go on for as long as it gets on.
   */
  constructor(
    limits: Limits,
    options: RunOptions,
    clock: () => number,
    { started = clock(), inSteps = false } = {},
  ) {
    this.limits = { ...limits, ...options.limits };
    this.#progressed = inSteps && options.limits?.deadlineMs === undefined ? started : null;
    this.options = options;
    this.#clock = clock;
    this.#started = started;
  }

  /** Aborts when the caller cancels or the deadline has passed; made when it is first asked for. */
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const { signal } = this.options;
    const deadline = this.#progressed === null ? AbortSignal.timeout(this.#timer) : this.#untilItStops();
    this.#signal = signal ? AbortSignal.any([signal, deadline]) : deadline;
    return this.#signal;
  }

  /** Milliseconds until the deadline; none or less: it has passed. */
  get left(): number {
    return this.limits.deadlineMs - (this.#clock() - (this.#progressed ?? this.#started));
  }

  get elapsed(): number {
    return this.#clock() - this.#started;
  }

  /**
   * Counts arrivals. False when a limit is hit: the run ends with what it has.
   *
   * @throws CodewalkError `CANCELLED` when the caller cancelled.
   */
  arrive(locations = 1): boolean {
    this.throwIfCancelled();
    if (this.truncated) return false;
    if (this.visits >= this.limits.maxVisits) this.#cut('visits', this.limits.maxVisits);
    else if (this.left < 0) this.#cut('deadline', this.limits.deadlineMs);
    if (this.truncated) return false;
    this.visits += locations;
    return true;
  }

  /** Says how far the run is. */
  progress(progress: Progress): void {
    if (this.#progressed !== null) this.#progressed = this.#clock();
    this.options.onProgress?.(progress);
  }

  /** Takes one report into the stream. */
  report(value: unknown): void {
    if (this.options.keepReports !== false) this.reports.push(value);
    this.options.onReport?.(value);
    if (this.limits.maxBytes === Number.POSITIVE_INFINITY) return;
    this.#bytes += JSON.stringify(value)?.length ?? 0;
    if (this.#bytes > this.limits.maxBytes) this.#cut('bytes', this.limits.maxBytes);
  }

  throwIfCancelled(): void {
    if (this.options.signal?.aborted) throw new CodewalkError('CANCELLED', 'the run was cancelled');
  }

  get #timer(): number {
    return Math.min(Math.max(0, Math.ceil(this.left)), LONGEST_TIMER);
  }

  /** Aborts when no progress was reported for as long as the run has. */
  #untilItStops(): AbortSignal {
    const controller = new AbortController();
    const look = () => {
      if (this.ended) return;
      if (this.left > 0) setTimeout(look, this.#timer).unref();
      else controller.abort(new DOMException('The run reported no progress', 'TimeoutError'));
    };
    setTimeout(look, this.#timer).unref();
    return controller.signal;
  }

  #cut(by: Truncation['by'], limit: number): void {
    this.truncated ??= { by, limit };
  }
}
