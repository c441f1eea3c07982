import { CypherError } from '../cypher-error.js';
import type { CypherGraph } from '../graph.js';
import type { RunValues } from '../run-values.js';
import type { CypherValue } from '../value.js';
import { isList, isMap, sizeOf, workOf } from '../values/index.js';
import type { Watch } from '../watch.js';

/** What a run may use, and from where it takes what is not in the graph. */
export interface RunBounds {
  readonly parameters: ReadonlyMap<string, CypherValue>;
  readonly watch: Watch;
  /** Bytes that rows held back, groups, lists and paths may take, about. */
  readonly memoryBytes: number;
  /** How far a pattern without an upper bound goes. */
  readonly maxHops: number;
  readonly random: () => number;
  /** What `timestamp()` says. */
  readonly now: number;
}

/** One run of a plan: the graph, what is left of its bounds, and what must be told afterwards. */
export class Run implements RunValues {
  readonly graph: CypherGraph;
  readonly parameters: ReadonlyMap<string, CypherValue>;
  readonly maxHops: number;
  /** What was left out, in words. */
  readonly cuts = new Set<string>();
  /** Rows that operators made once, for when they are asked again. */
  readonly remembered = new Map<unknown, readonly (readonly CypherValue[])[]>();
  readonly #watch: Watch;
  /** Of lists and maps that were made of others: what they unfold to. */
  readonly #sizes = new WeakMap<object, number>();
  #kept = 0;
  #passing = 0;

  constructor(
    graph: CypherGraph,
    private readonly bounds: RunBounds,
  ) {
    this.graph = graph;
    this.parameters = bounds.parameters;
    this.maxHops = bounds.maxHops;
    this.#watch = bounds.watch;
  }

  random(): number {
    return this.bounds.random();
  }

  now(): number {
    return this.bounds.now;
  }

  spend(items: number): void {
    this.#watch.spend(items);
  }

  made(value: CypherValue): void {
    if (value === null || typeof value !== 'object') return;
    const members = isList(value) ? value : isMap(value) ? value.values() : [];
    let bytes = 0;
    for (const member of members) bytes += this.#sizeIn(member);
    this.#sizes.set(value, bytes);
    this.spend(workOf(value));
    if (bytes > this.bounds.memoryBytes) this.hold(bytes);
  }

  hold(bytes: number): void {
    this.#passing += bytes;
    this.#checkMemory();
  }

  /** Bytes that stay until {@link release}. */
  keep(bytes: number): void {
    this.#kept += bytes;
    this.#watch.sharing.hold(bytes);
    this.#checkMemory();
  }

  /** Gives back what was kept. */
  release(bytes: number): void {
    this.#kept -= bytes;
    this.#watch.sharing.hold(-bytes);
  }

  /** Between two batches: what the last one made is gone, and others may do something. Null: no need to wait. */
  turn(): Promise<void> | null {
    this.#passing = 0;
    return this.#watch.turn();
  }

  /** What a value takes within another: where it was made here, without a look at all that is in it. */
  #sizeIn(value: CypherValue): number {
    const isObject = typeof value === 'object' && value !== null;
    return (isObject ? this.#sizes.get(value) : undefined) ?? sizeOf(value);
  }

  #checkMemory(): void {
    if (this.#kept + this.#passing <= this.bounds.memoryBytes) return;
    const megabytes = Math.round(this.bounds.memoryBytes / 1024 / 1024);
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
