import type { Awaitable, CypherGraph, ExpandDirection, HopPattern, NodeHop, SeekValues } from '../graph.js';
import type { Plan } from '../plan/index.js';
import type { CypherNode, CypherRelationship } from '../value.js';
import type { Open, Row } from './rows.js';

/** What an operator did in one run. */
export interface PlanFigures {
  rows: number;
  /** Elements of the graph that it was handed or had loaded. */
  hits: number;
  /** Without those below it. */
  ms: number;
}

/** Counts what each operator does. Operators wait for one another, so that one is at work at any time. */
export class Profile {
  readonly figures = new Map<Plan, PlanFigures>();
  readonly #working: PlanFigures[] = [];
  #since: number;

  constructor(private readonly clock: () => number) {
    this.#since = clock();
  }

  /** Counts elements for whoever is at work. */
  hit(count: number): void {
    const working = this.#working.at(-1);
    if (working !== undefined) working.hits += count;
  }

  readonly watch = (plan: Plan, open: Open): Open => {
    const figures = { rows: 0, hits: 0, ms: 0 };
    this.figures.set(plan, figures);
    return (run, argument) => this.#watched(figures, open(run, argument));
  };

  async *#watched(figures: PlanFigures, rows: AsyncIterable<readonly Row[]>): AsyncGenerator<readonly Row[]> {
    const iterator = rows[Symbol.asyncIterator]();
    try {
      while (true) {
        const next = await this.#timed(figures, () => iterator.next());
        if (next.done === true) return;
        figures.rows += next.value.length;
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  async #timed<T>(figures: PlanFigures, work: () => Promise<T>): Promise<T> {
    this.#settle();
    this.#working.push(figures);
    try {
      return await work();
    } finally {
      this.#settle();
      this.#working.pop();
    }
  }

  #settle(): void {
    const now = this.clock();
    const working = this.#working.at(-1);
    if (working !== undefined) working.ms += now - this.#since;
    this.#since = now;
  }
}

/** A graph that tells a profile how much it was asked. */
export class CountingGraph implements CypherGraph {
  readonly names: CypherGraph['names'];
  readonly atHand: CypherGraph['atHand'];

  constructor(
    private readonly graph: CypherGraph,
    private readonly profile: Profile,
  ) {
    this.names = graph.names;
    this.atHand = graph.atHand;
  }

  async *nodes(label: string | null, hops: readonly NodeHop[]): AsyncGenerator<readonly CypherNode[]> {
    for await (const page of this.graph.nodes(label, hops)) {
      this.profile.hit(page.length);
      yield page;
    }
  }

  relationships(type: string | null): AsyncIterable<readonly CypherRelationship[]> | null {
    return this.graph.relationships(type);
  }

  seek(
    label: string | null,
    property: string,
    wanted: SeekValues,
    hops: readonly NodeHop[],
  ): Promise<readonly CypherNode[]> | null {
    const found = this.graph.seek(label, property, wanted, hops);
    return found === null ? null : found.then((nodes) => this.#counted(nodes));
  }

  async expand(
    nodes: readonly CypherNode[],
    direction: ExpandDirection,
    types: readonly string[] | null,
    pattern: HopPattern,
  ): Promise<readonly (readonly CypherRelationship[])[]> {
    const lists = await this.graph.expand(nodes, direction, types, pattern);
    for (const list of lists) this.profile.hit(list.length);
    return lists;
  }

  load(elements: readonly (CypherNode | CypherRelationship)[]): Awaitable<void> {
    this.profile.hit(elements.length);
    return this.graph.load(elements);
  }

  countNodes(label: string | null): Awaitable<number> {
    return this.graph.countNodes(label);
  }

  countRelationships(type: string | null): Awaitable<number> {
    return this.graph.countRelationships(type);
  }

  #counted<T>(items: readonly T[]): readonly T[] {
    this.profile.hit(items.length);
    return items;
  }
}
