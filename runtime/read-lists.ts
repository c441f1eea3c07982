import type { Layer } from '../schema/index.js';
import type { AdjacencyEntry, AdjacencyRequest, Direction } from '../storage/index.js';
import { grown } from './edge-changes.js';
import type { ReadObserver, ViewSource } from './view-source.js';

/** The records of one type and direction, by node id. */
type Lists = Map<string, readonly AdjacencyEntry[]>;

/** The adjacency of one type and direction of many nodes. */
export interface WantedLists {
  readonly edgeType: string;
  readonly direction: Direction;
  readonly nodes: readonly string[];
}

/** The adjacency records that one run has read: none of them is read again. */
export class ReadLists {
  readonly #source: ViewSource;
  readonly #observer: ReadObserver | null;
  readonly #lists = new Map<string, Lists>();

  constructor(source: ViewSource, observer: ReadObserver | null) {
    this.#source = source;
    this.#observer = observer;
  }

  /** What was read so far of one type and direction, by node id. */
  of(edgeType: string, direction: Direction): ReadonlyMap<string, readonly AdjacencyEntry[]> {
    return this.#of(edgeType, direction);
  }

  /** Reads what is wanted and not there, in one round trip; a promise where that takes a wait. */
  prefetch(layer: Layer, wanted: readonly WantedLists[]): Promise<void> | undefined {
    const requests: AdjacencyRequest[] = [];
    for (const { edgeType, direction, nodes } of wanted) {
      const lists = this.#of(edgeType, direction);
      for (const node of nodes) if (!lists.has(node)) requests.push({ node, direction, edgeType });
    }
    if (requests.length === 0) return undefined;
    const take = (records: readonly (readonly AdjacencyEntry[])[]): void => {
      for (const [at, { node, direction, edgeType }] of requests.entries()) {
        this.#of(edgeType, direction).set(node, records[at] ?? []);
        this.#observer?.adjacency(`${direction}\0${edgeType}\0${node}`);
      }
    };
    const answer = (this.#source.hot(layer) ?? this.#source.reader(layer)).adjacency(requests);
    if (answer instanceof Promise) return answer.then(take);
    take(answer);
    return undefined;
  }

  clear(): void {
    this.#lists.clear();
  }

  #of(edgeType: string, direction: Direction): Lists {
    return grown(this.#lists, `${direction}\0${edgeType}`, () => new Map());
  }
}
