import type { ArchetypeCatalog, LayerUnit, PackedUnit, StoredType } from '../layer.js';
import { valueCodec } from '../msgpack.js';
import { TypeTable } from '../type-table.js';
import { PackCodec } from './pack-codec.js';
import { PackEncoder } from './pack-encoder.js';

/** Packs units on another thread than the one that writes them. */
export class UnitPacker {
  readonly #types: TypeTable;
  readonly #codec: PackCodec;
  readonly #encoder: PackEncoder;

  /** @param types What `LayerStore.typesOf` said of the archetypes that units have: on both threads they are written alike. */
  constructor(types: readonly StoredType[], catalog: ArchetypeCatalog) {
    const values = valueCodec();
    this.#types = TypeTable.of(types, values, catalog);
    this.#codec = new PackCodec(this.#types, values);
    this.#encoder = new PackEncoder(this.#codec);
  }

  /**
   * A unit as it is stored where its owner has nothing else; null for one without nodes and links, or with an archetype
   * that the types lack.
   *
   * @throws CodewalkError `INVALID_ARCHETYPE`, `INVALID_INPUT`
   */
  pack({ nodes, links }: Pick<LayerUnit, 'nodes' | 'links'>): PackedUnit | null {
    const codec = this.#codec;
    const packed = this.#encoder.encode({
      nodes: nodes.map(({ id = '', archetype, props }) => codec.nodeRow({ id, type: archetype.name, props })),
      edges: links.map(({ from, to, edge: { archetype, props } }) =>
        codec.edgeRow({ type: archetype.name, from, to, seq: 0, undirected: false, props }),
      ),
      hintOf: () => 0,
    });
    return this.#types.pendingWrites().length === 0 ? (packed ?? null) : null;
  }
}
