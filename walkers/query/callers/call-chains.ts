import { compareText, type ReadContext } from '../../../runtime/index.js';
import { isNamed } from '../../find-symbol.js';
import { calledBy } from '../parts/calls.js';
import { type Caller, qualifiedName } from '../parts/code-node.js';

/** Finds shortest chains of calls; of several the one whose steps have the smallest ids. */
export class CallChains {
  readonly #context: Pick<ReadContext, 'q' | 'nodes'>;
  readonly #targets: ReadonlySet<string>;
  readonly #distances: ReadonlyMap<string, number>;
  /** What a caller calls on the way. */
  readonly #next = new Map<string, string>();

  /** @param distances How many calls away from a target every caller is. */
  constructor(
    context: Pick<ReadContext, 'q' | 'nodes'>,
    targets: readonly string[],
    distances: ReadonlyMap<string, number>,
  ) {
    this.#context = context;
    this.#targets = new Set(targets);
    this.#distances = distances;
  }

  /** A chain of qualified names for each caller: it first, a target last. */
  async of(callers: readonly Caller[]): Promise<string[][]> {
    // One read for all of them; what follows finds it in memory.
    await calledBy(
      this.#context,
      callers.map(({ id }) => id),
    );
    const chains: string[][] = [];
    for (const { id } of callers) chains.push(await this.#from(id));
    const between = [...new Set(chains.flat())];
    const nodes = (await this.#context.nodes(between)).filter((node) => node !== undefined);
    const names = new Map(nodes.filter(isNamed).map((node) => [node.id, qualifiedName(node)]));
    return chains.map((chain) => chain.map((id) => names.get(id) ?? id));
  }

  async #from(caller: string): Promise<string[]> {
    const chain = [caller];
    let at = caller;
    for (let left = this.#distances.get(caller) ?? 0; left > 0; left--) {
      at = this.#next.get(at) ?? (await this.#nearer(at, left - 1));
      chain.push(at);
    }
    return chain;
  }

  /** What it calls so many calls away from a target: the smallest id. */
  async #nearer(caller: string, distance: number): Promise<string> {
    const called = await calledBy(this.#context, [caller]);
    const isNext = (id: string) =>
      distance === 0 ? this.#targets.has(id) : this.#distances.get(id) === distance;
    const [next = caller] = called.filter(isNext).sort(compareText);
    this.#next.set(caller, next);
    return next;
  }
}
