import type { Layer } from '../../schema/index.js';
import type { WritableShelf } from './writer.js';

/**
 * Takes away bytes whose names begin so.
 *
 * @param most How many one commit is meant for.
 * @returns How many they were: where they are fewer than `most`, none is left.
 */
export async function sweepBlobs(
  shelf: WritableShelf,
  { prefix, layer, most }: { readonly prefix: string; readonly layer: Layer; readonly most: number },
  isOver: (name: string) => boolean = () => true,
): Promise<number> {
  let taken = 0;
  for await (const page of shelf.blobsUnder(prefix, layer))
    for (const { name } of page) {
      if (!isOver(name)) continue;
      if (taken === most) return taken;
      shelf.putBlob(name, undefined, layer);
      taken++;
    }
  return taken;
}
