import type { Layer } from '../schema/index.js';
import type { LayerUnit } from '../storage/index.js';

/** What goes to the layers with a commit past the run's changes. */
export interface BlobWrites extends Readonly<Record<Layer, Map<string, Uint8Array | undefined>>> {
  /** Units of the derived layer, by the ids that say whose they are. Bytes are by name; undefined removes. */
  readonly units: Map<string, LayerUnit>;
}

/** Nothing yet. */
export function noBlobs(): BlobWrites {
  return { derived: new Map(), durable: new Map(), units: new Map() };
}

/** Forgets them: they are committed. */
export function clearBlobs(blobs: BlobWrites): void {
  blobs.derived.clear();
  blobs.durable.clear();
  blobs.units.clear();
}

/** The layers that they go to. */
export function layersOfBlobs({ derived, durable, units }: BlobWrites): readonly Layer[] {
  return [
    ...(derived.size + units.size > 0 ? (['derived'] as const) : []),
    ...(durable.size > 0 ? (['durable'] as const) : []),
  ];
}
