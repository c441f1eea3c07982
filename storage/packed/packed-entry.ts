import type { AdjacencyEntry } from '../layer.js';
import type { TableEdge } from './edge-table.js';
import type { PackCodec } from './pack-codec.js';

/** An edge as one of its ends sees it, read from its pack when it is asked. Not to be spread: getters. */
export class PackedEntry implements AdjacencyEntry {
  readonly edgeType: string;
  readonly far: string;
  readonly farType: string;
  readonly #edge: TableEdge;
  readonly #codec: PackCodec;
  #props: Record<string, unknown> | undefined = undefined;

  constructor(
    edge: TableEdge,
    edgeType: string,
    [far, farType]: readonly [string, string],
    codec: PackCodec,
  ) {
    this.#edge = edge;
    this.#codec = codec;
    this.edgeType = edgeType;
    this.far = far;
    this.farType = farType;
  }

  get outgoing(): boolean {
    return this.#edge.outgoing;
  }

  get undirected(): boolean {
    const { pack, row } = this.#edge;
    return pack.edges.undirected?.[row] === 1;
  }

  get seq(): number {
    const { pack, row } = this.#edge;
    return pack.places.seqs[row] ?? 0;
  }

  get props(): Record<string, unknown> {
    this.#props ??= this.#codec.inline(this.#edge.pack, this.#edge.row);
    return this.#props;
  }
}
