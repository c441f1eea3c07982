import type { Layer } from '../schema/index.js';

/** Bytes that go beside each layer with a commit, by name; undefined removes. */
export type BlobWrites = Readonly<Record<Layer, Map<string, Uint8Array | undefined>>>;

/** Nothing yet. */
export function noBlobs(): BlobWrites {
  return { derived: new Map(), durable: new Map() };
}

/** Forgets them: they are committed. */
export function clearBlobs(blobs: BlobWrites): void {
  blobs.derived.clear();
  blobs.durable.clear();
}

/** The layers that they go to. */
export function layersOfBlobs({ derived, durable }: BlobWrites): readonly Layer[] {
  return [
    ...(derived.size > 0 ? (['derived'] as const) : []),
    ...(durable.size > 0 ? (['durable'] as const) : []),
  ];
}
