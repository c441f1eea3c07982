import { z } from 'zod';
import { LIMITS } from '../../schema/index.js';

/** How far an index run has come. */
const IndexedSoFar = z.object({
  /** Files that are done, in the phase that it is in. */
  done: z.number(),
  total: z.number(),
});

export type IndexedSoFar = z.infer<typeof IndexedSoFar>;

/** What every answer says of the files behind it (spec P-01). */
export const FilesState = z.object({
  /** Files that the graph does not have as they are on disk. */
  pending: z.number().int(),
  /** The first of them that are known by name; absent where none is. */
  pending_files: z.array(z.string()).optional(),
  /** There was no time to look whether files changed; absent where it is known. */
  freshness: z.literal('unchecked').optional(),
  /** Milliseconds since it was known; absent where that was not since the graph was opened. Only with `freshness`. */
  unchecked_ms: z.number().optional(),
  /** Absent while the project is not being indexed. */
  indexed: IndexedSoFar.optional(),
});

export type FilesState = z.infer<typeof FilesState>;

/** How changes of a project's files are heard of, for `codewalk status`. */
export const FreshnessStatus = z.object({
  folders: z.number(),
  /** Whether answers come from the watcher. */
  trusted: z.boolean(),
  /** Why nothing is watched; null where it is. */
  whyNotWatched: z.string().nullable(),
  /** Paths that changed since the last answer. */
  dirty: z.number(),
});

export type FreshnessStatus = z.infer<typeof FreshnessStatus>;

/** What the host knows of the files behind an answer. */
export interface FreshState {
  /** Files that changed and are not in the graph like that yet. */
  readonly pending: number;
  /** Those of them that are known by name. */
  readonly pendingFiles: readonly string[];
  /** Null: all that changed before the question is known. Else since when it is not, in milliseconds; null: nobody knows. */
  readonly unchecked: { readonly ms: number | null } | null;
  /** While the whole project is being indexed. */
  readonly indexed: IndexedSoFar | null;
  /** What went wrong on the way. */
  readonly notes: readonly string[];
}

/** All that changed is in the graph, or the question is not about files. */
export const FRESH: FreshState = {
  pending: 0,
  pendingFiles: [],
  unchecked: null,
  indexed: null,
  notes: [],
};

/** The same with files that the walker itself found changed when it cited them; these are named first. */
export function withChanged(state: FreshState, changed: readonly string[]): FreshState {
  const all = [...new Set([...changed, ...state.pendingFiles])];
  return { ...state, pending: state.pending + all.length - state.pendingFiles.length, pendingFiles: all };
}

/** @param missing Files that an index run which did not finish has still to write. */
export function filesState(
  { pending, pendingFiles, unchecked, indexed }: FreshState,
  missing: number,
): FilesState {
  return {
    pending: pending + missing,
    ...(pendingFiles.length === 0 ? {} : { pending_files: pendingFiles.slice(0, LIMITS.pendingFiles.max) }),
    ...(unchecked === null ? {} : { freshness: 'unchecked' as const }),
    ...(unchecked?.ms == null ? {} : { unchecked_ms: unchecked.ms }),
    ...(indexed === null ? {} : { indexed: { ...indexed } }),
  };
}

/** The same as sentences; none where all is well. */
export function freshNotes({
  pending,
  pending_files = [],
  freshness,
  unchecked_ms,
  indexed,
}: FilesState): string[] {
  const names = `${pending_files.join(', ')}${pending > pending_files.length ? ', …' : ''}`;
  const named = pending_files.length === 0 ? '' : `: ${names}`;
  const age = unchecked_ms === undefined ? '' : `; the last look was ${Math.ceil(unchecked_ms / 1000)} s ago`;
  const notes: string[] = [];
  if (indexed)
    notes.push(
      `The project is being indexed (indexed ${indexed.done} of ${indexed.total}): nodes and edges are still missing.`,
    );
  if (pending > 0 && !indexed)
    notes.push(`${pending} ${pending === 1 ? 'file' : 'files'} changed since${named}.`);
  if (freshness && !indexed) notes.push(`Nobody looked whether files have changed since${age}.`);
  return notes;
}
