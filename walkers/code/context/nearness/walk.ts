import type { ReadContext } from '../../../../runtime/index.js';
import { FileDependsOnFile, fileId, parseId } from '../../../../schema/index.js';
import { ranking, type Scores } from '../../../../search/index.js';

/** What of a step goes on to the neighbours; the rest starts over at the files asked for. */
const DAMPING = 0.6;
/** Steps of the walk. What is farther has 0.6⁴ of the weight and less. */
const STEPS = 4;
/** Neighbours whose own neighbours are looked at. */
const MOST_NEIGHBOURS = 60;
/** Dependencies and dependents of one file that are looked at: a hub leads everywhere, so nowhere. */
const MOST_DEPENDENTS = 200;

/**
 * How near files are in the code graph, by direct links and by a walk with restart from the files asked for, on the files' dependencies,
 * each edge divided by the roots of both its ends' degrees (the symmetric form of personalised PageRank; Zhou et al.,
 * "Learning with local and global consistency", 2004), so that a hub that everything uses is not near to everything.
 *
 * @param links Weights of the direct links from the files asked for, by path.
 */
export async function walkedFiles(
  { q }: Pick<ReadContext, 'q'>,
  asked: readonly string[],
  links: Scores,
): Promise<{ walked: Scores; linked: Scores }> {
  const graph = new WeightedGraph();
  for (const path of asked)
    for (const [other, weight] of links) graph.join(path, other, Math.log2(1 + weight) / asked.length);
  for (const path of ranking(links).slice(0, MOST_NEIGHBOURS)) {
    const node = fileId(path);
    for (const hop of [q(node).out(FileDependsOnFile), q(node).in(FileDependsOnFile)])
      for (const { from, to, imports, calls } of await hop.slice(0, MOST_DEPENDENTS).edges()) {
        const other = parseId(from === node ? to : from)?.path ?? null;
        if (other === null || asked.includes(other)) continue;
        graph.join(path, other, Math.log2(1 + (imports ? 0.6 : 0) + calls));
      }
  }
  return { walked: graph.walked(asked), linked: damped(links, (path) => graph.neighbours(path)) };
}

/** Direct links, of which each further one adds less, and less still to a file that has much to do with many. */
function damped(links: Scores, neighbours: (path: string) => number): Scores {
  const dampedWeight = (path: string, weight: number) =>
    (1 + Math.log(1 + weight) / 2) / Math.log2(3 + neighbours(path));
  return new Map([...links].map(([path, weight]) => [path, dampedWeight(path, weight)]));
}

/** An undirected graph of files, in memory. */
class WeightedGraph {
  readonly #edges = new Map<string, Map<string, number>>();

  /** Two files are seen from both their sides: the weight of a pair is the largest that was told. */
  join(a: string, b: string, weight: number): void {
    this.#half(a, b, weight);
    this.#half(b, a, weight);
  }

  /** How many files a file has to do with, as far as it was looked at. */
  neighbours(path: string): number {
    return this.#edges.get(path)?.size ?? 0;
  }

  walked(from: readonly string[]): Map<string, number> {
    const degrees = new Map<string, number>();
    for (const [node, edges] of this.#edges)
      degrees.set(
        node,
        [...edges.values()].reduce((sum, weight) => sum + weight, 0),
      );
    const start = 1 / from.length;
    let now = new Map(from.map((path) => [path, start]));
    for (let step = 0; step < STEPS; step++) {
      const next = new Map(from.map((path) => [path, (1 - DAMPING) * start]));
      for (const [node, mass] of now)
        for (const [other, weight] of this.#edges.get(node) ?? []) {
          const both = Math.sqrt((degrees.get(node) ?? 1) * (degrees.get(other) ?? 1));
          next.set(other, (next.get(other) ?? 0) + (DAMPING * mass * weight) / both);
        }
      now = next;
    }
    for (const path of from) now.delete(path);
    return now;
  }

  #half(a: string, b: string, weight: number): void {
    const edges = this.#edges.get(a);
    if (edges) edges.set(b, Math.max(edges.get(b) ?? 0, weight));
    else this.#edges.set(a, new Map([[b, weight]]));
  }
}
