import type { Selection } from '../filter/selection.js';
import { summed } from './file-scores.js';

/** A document that was found. */
interface Found {
  readonly id: string;
  own: number;
}

/**
 * What a selection holds, by the documents that speak for it: a class by its methods, too. Each further one counts a
 * little less.
 *
 * @param made Makes what is found for an id that has no document of its own among those found.
 */
export function rolledUp<T extends Found>(
  found: readonly T[],
  { ids, owners }: Selection,
  made: (id: string) => T | null,
): T[] {
  const scores = new Map<string, number[]>();
  const known = new Map(found.map((one) => [one.id, one]));
  for (const { id, own } of found)
    for (const owner of owners.get(id) ?? []) scores.set(owner, [...(scores.get(owner) ?? []), own]);
  return [...scores].flatMap(([id, parts]) => {
    const one = ids.has(id) ? (known.get(id) ?? made(id)) : null;
    return one ? [{ ...one, own: summed(parts) }] : [];
  });
}
