import { setImmediate as nextTurn } from 'node:timers/promises';
import { CypherError } from '../cypher-error.js';
import type { CypherGraph } from '../graph.js';
import type { RunValues } from '../run-values.js';
import type { CypherValue } from '../value.js';

/** What a run may use, and from where it takes what is not in the graph. */
export interface RunBounds {
  readonly parameters: ReadonlyMap<string, CypherValue>;
  /** Milliseconds; only differences count. */
  readonly clock: () => number;
  readonly deadlineMs: number;
  /** Bytes that rows held back, groups, lists and paths may take, about. */
  readonly memoryBytes: number;
  /** How far a pattern without an upper bound goes. */
  readonly maxHops: number;
  /** Throws once the caller has called the run off; not asked by a run that is over before others need a turn. */
  readonly checkAborted: () => void;
  readonly random: () => number;
  /** What `timestamp()` says. */
  readonly now: number;
}

/** Items between two looks at the clock. */
const ITEMS_PER_LOOK = 512;
/** Milliseconds after which others get a turn. */
const TURN = 12;

/** One run of a plan: the graph, what is left of its bounds, and what must be told afterwards. */
export class Run implements RunValues {
  readonly graph: CypherGraph;
  readonly parameters: ReadonlyMap<string, CypherValue>;
  readonly maxHops: number;
  /** What was left out, in words. */
  readonly cuts = new Set<string>();
  /** Rows that operators made once, for when they are asked again. */
  readonly remembered = new Map<unknown, readonly (readonly CypherValue[])[]>();
  readonly #bounds: RunBounds;
  readonly #end: number;
  #items = ITEMS_PER_LOOK;
  #turnEnd: number;
  #kept = 0;
  #passing = 0;

  constructor(graph: CypherGraph, bounds: RunBounds) {
    this.graph = graph;
    this.parameters = bounds.parameters;
    this.maxHops = bounds.maxHops;
    this.#bounds = bounds;
    const start = bounds.clock();
    this.#end = start + bounds.deadlineMs;
    this.#turnEnd = start + TURN;
  }

  random(): number {
    return this.#bounds.random();
  }

  now(): number {
    return this.#bounds.now;
  }

  spend(items: number): void {
    this.#items -= items;
    if (this.#items > 0) return;
    this.#items = ITEMS_PER_LOOK;
    this.#bounds.checkAborted();
    this.#look();
  }

  hold(bytes: number): void {
    this.#passing += bytes;
    this.#checkMemory();
  }

  /** Bytes that stay until {@link release}. */
  keep(bytes: number): void {
    this.#kept += bytes;
    this.#checkMemory();
  }

  /** Gives back what was kept. */
  release(bytes: number): void {
    this.#kept -= bytes;
  }

  /** Between two batches: what the last one made is gone, and others may do something. Null: no need to wait. */
  turn(): Promise<void> | null {
    this.#passing = 0;
    const now = this.#look();
    if (now < this.#turnEnd) return null;
    return this.#yield();
  }

  async #yield(): Promise<void> {
    await nextTurn();
    this.#bounds.checkAborted();
    this.#turnEnd = this.#look() + TURN;
  }

  #look(): number {
    const now = this.#bounds.clock();
    if (now < this.#end) return now;
    throw new CypherError('QUERY_TIMEOUT', `The query was stopped after ${this.#bounds.deadlineMs} ms.`, {
      fault: { kind: 'Limit', phase: 'runtime', detail: 'Deadline' },
      span: null,
      suggestion:
        'Start from a label with a property, bound the variable-length patterns (*1..4), or add a LIMIT.',
    });
  }

  #checkMemory(): void {
    if (this.#kept + this.#passing <= this.#bounds.memoryBytes) return;
    const megabytes = Math.round(this.#bounds.memoryBytes / 1024 / 1024);
    throw new CypherError(
      'CYPHER_RUNTIME',
      `The query needs more memory than the ${megabytes} MiB it may have.`,
      {
        fault: { kind: 'Limit', phase: 'runtime', detail: 'Memory' },
        span: null,
        suggestion: 'Collect, sort or group fewer rows: add conditions, or a LIMIT.',
      },
    );
  }
}
