import type { Layer } from '../schema/index.js';
import type { HotReader, LayerReader } from '../storage/index.js';

/** What a view reads from: one reader per layer, live or pinned, and the edge types that each layer holds. */
export interface ViewSource {
  reader(layer: Layer): LayerReader;
  /** The same version through what is kept in memory; null where the run may write, and reads what is stored. */
  hot(layer: Layer): HotReader | null;
  edgeTypes(layer: Layer): readonly string[];
}

/** Tells what was read: for the conflict check of writing runs. */
export interface ReadObserver {
  node(id: string): void;
  adjacency(key: string): void;
  /** Bytes beside a layer, by name. */
  blob(layer: Layer, name: string): void;
  /** The edge types below this one that exist (empty: all). */
  edgeType(name: string): void;
  /** A look-up by archetype and property (`Type\0property`), or everything (empty). */
  range(key: string): void;
}
