import { isDeepStrictEqual } from 'node:util';
import type { Place } from './place.js';
import { entriesIn, keysOfEntries } from './settings-entries.js';

/** What is to become of a file. */
export interface FileChange {
  readonly place: Place;
  /** Null: it goes. The bytes of the place: it stays as it is. */
  readonly after: Uint8Array | null;
  /** Of a file that we make. */
  readonly mode: number;
  /** What of ours comes into a settings file, goes out of it, and is renewed: `hooks.Stop`, `mcpServers.codewalk`. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly renewed: readonly string[];
}

/** What a change does to its file. */
export type ChangeKind = 'create' | 'change' | 'remove' | 'none';

/** See {@link ChangeKind}. */
export function kindOf({ place: { bytes }, after }: FileChange): ChangeKind {
  if (bytes === null) return after === null ? 'none' : 'create';
  if (after === null) return 'remove';
  return Buffer.compare(bytes, after) === 0 ? 'none' : 'change';
}

/** A change of a file of ours alone. */
export function wholeChange(place: Place, after: Uint8Array | null, mode: number): FileChange {
  return { place, after, mode, added: [], removed: [], renewed: [] };
}

/** A change of a settings file, with what it means. */
export function entriesChange(place: Place, after: Uint8Array | null, mode: number): FileChange {
  const old = keysOfEntries(place.bytes === null ? {} : entriesIn(place.path, place.bytes));
  const fresh = keysOfEntries(after === null ? {} : entriesIn(place.path, after));
  const names = [...fresh.keys()];
  return {
    place,
    after,
    mode,
    added: names.filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !fresh.has(name)),
    renewed: names.filter((name) => old.has(name) && !isDeepStrictEqual(old.get(name), fresh.get(name))),
  };
}
