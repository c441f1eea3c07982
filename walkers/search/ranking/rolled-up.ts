import type { Selection } from '../filter/selection.js';
import { summed } from './file-scores.js';

/** A document that was found. */
interface Found {
  readonly id: string;
  readonly own: number;
}

/** What a selection has, and whether its score is its own or that of all that stands in it. */
export type Selected<T> = T & { readonly isWhole: boolean };

/**
 * What a selection has of what was found: as it is, but a file or class of which the parts may not be found themselves
 * by all that stands in it. Each further part counts a little less.
 *
 * @param made Makes what is found for an id that has no document of its own among those found.
 */
export function rolledUp<T extends Found>(
  found: readonly T[],
  { ids, owners }: Selection,
  made: (id: string) => T | null,
): Selected<T>[] {
  const scores = new Map<string, number[]>();
  const known = new Map(found.map((one) => [one.id, one]));
  for (const { id, own } of found)
    for (const owner of owners.get(id) ?? []) {
      const parts = scores.get(owner);
      if (parts) parts.push(own);
      else scores.set(owner, [known.get(owner)?.own ?? 0, own]);
    }
  const wholes = [...scores].flatMap(([id, parts]) => {
    const one = known.get(id) ?? made(id);
    return one ? [{ ...one, own: summed(parts), isWhole: true }] : [];
  });
  const others = found.filter(({ id }) => ids.has(id) && !scores.has(id));
  return [...wholes, ...others.map((one) => ({ ...one, isWhole: false }))];
}
