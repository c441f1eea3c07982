import type { Layer } from '../../schema/index.js';
import type { TextIndexType } from './definition.js';
import { familyPrefix } from './names.js';
import { sweepBlobs } from './sweep.js';
import { TextIndexWriter, type WritableShelf } from './writer.js';

/** Some indexes, all that begin so. */
export interface IndexFamily {
  /** How the names of all of them begin, those of earlier versions too. */
  readonly family: string;
  readonly layer: Layer;
  /** Those that are in use. */
  readonly types: readonly TextIndexType[];
}

/** Takes everything out of the indexes of a family: what they held is found no more. */
export async function clearIndexes(shelf: WritableShelf, { types }: IndexFamily): Promise<void> {
  for (const type of types) await new TextIndexWriter(shelf, type).clear();
}

/**
 * Takes away some of what is left of the indexes of a family that were cleared, and of those that are not in use any more.
 *
 * @param most How many bytes' names one commit is meant for.
 * @returns How many they were: where they are fewer than `most`, nothing is left.
 */
export async function sweepIndexes(
  shelf: WritableShelf,
  { family, layer, types }: IndexFamily,
  most: number,
): Promise<number> {
  const used = types.map(({ name }) => familyPrefix(`${name}/`));
  const isOver = (name: string) => !used.some((prefix) => name.startsWith(prefix));
  let taken = await sweepBlobs(shelf, { prefix: familyPrefix(family), layer, most }, isOver);
  for (const type of types) taken += await new TextIndexWriter(shelf, type).sweep(most - taken);
  return taken;
}
