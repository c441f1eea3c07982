import type { Layer } from '../schema/index.js';
import type { HotReader, LayerReader, LayerSnapshot, LayerStore } from '../storage/index.js';
import type { ViewSource } from './view-source.js';

/**
 * One version of the layers. It reads the live stores until a commit is about to change them; only then is a
 * snapshot taken, for a snapshot doubles the cost of every read (limits.md section 2).
 */
export class PinnedVersion implements ViewSource {
  readonly #layers: Readonly<Record<Layer, LayerStore>>;
  readonly #isHot: boolean;
  #snapshots: Partial<Record<Layer, LayerSnapshot>> = {};
  #edgeTypes: Partial<Record<Layer, readonly string[]>> = {};

  /** @param isHot Whether it is read through what is kept in memory: by runs that change nothing. */
  constructor(layers: Readonly<Record<Layer, LayerStore>>, isHot: boolean) {
    this.#layers = layers;
    this.#isHot = isHot;
  }

  reader(layer: Layer): LayerReader {
    return this.#snapshots[layer] ?? this.#layers[layer];
  }

  hot(layer: Layer): HotReader | null {
    return this.#isHot ? (this.#snapshots[layer] ?? this.#layers[layer]).hot : null;
  }

  edgeTypes(layer: Layer): readonly string[] {
    return this.#edgeTypes[layer] ?? this.#layers[layer].edgeTypes();
  }

  /** Called before a commit writes to a layer. */
  keep(layer: Layer): void {
    if (this.#snapshots[layer]) return;
    this.#snapshots[layer] = this.#layers[layer].snapshot();
    this.#edgeTypes[layer] = [...this.#layers[layer].edgeTypes()];
  }

  /** Moves on to the newest version. */
  async release(): Promise<void> {
    const open = Object.values(this.#snapshots);
    this.#snapshots = {};
    this.#edgeTypes = {};
    await Promise.all(open.map((snapshot) => snapshot.close()));
  }
}
