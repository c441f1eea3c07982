import type { Layer } from '../../schema/index.js';
import type { TextIndexType } from './definition.js';
import { IndexNames } from './names.js';
import { TextIndexWriter, type WritableShelf } from './writer.js';

/**
 * Takes everything out of the indexes of a family, and deletes those of it that are not used any more.
 *
 * @param family How the names of all of them begin, those of earlier versions too.
 * @param types Those that are in use.
 */
export async function clearIndexes(
  shelf: WritableShelf,
  { family, layer, types }: { family: string; layer: Layer; types: readonly TextIndexType[] },
): Promise<void> {
  const used = types.map((type) => new IndexNames(type).prefix);
  const all = new IndexNames({ name: family }).prefix.slice(0, -1);
  for await (const page of shelf.blobsUnder(all, layer))
    for (const { name } of page)
      if (!used.some((prefix) => name.startsWith(prefix))) shelf.putBlob(name, undefined, layer);
  for (const type of types) await new TextIndexWriter(shelf, type).clear();
}
