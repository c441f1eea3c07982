import { z } from 'zod';
import { LIMITS } from '../../schema/index.js';

/** How far an index run has come: files that are done, in its present phase. */
const IndexedSoFar = z.object({ done: z.number(), total: z.number() });
export type IndexedSoFar = z.infer<typeof IndexedSoFar>;

/** What every answer says of the files behind it (spec P-01). */
export const FilesState = z.object({
  /** Files that the graph does not have as they are on disk. */
  pending: z.number().int(),
  /** The first of them that are known by name; absent where none is. */
  pending_files: z.array(z.string()).optional(),
  /** There was no time to find out whether files changed; absent where it is known. */
  freshness: z.literal('unchecked').optional(),
  /** Milliseconds since it was known; absent where that was not since the graph was opened. Only with `freshness`. */
  unchecked_ms: z.number().optional(),
  /** Absent while the project is not being indexed. */
  indexed: IndexedSoFar.optional(),
});
export type FilesState = z.infer<typeof FilesState>;

/** How changes of a project's files are noticed, for `codewalk status`. */
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
  readonly pendingFiles: readonly string[];
  /** Null: all changes before the question are known. Else since when they are not, in milliseconds; null: unknown. */
  readonly unchecked: { readonly ms: number | null } | null;
  /** While the whole project is being indexed. */
  readonly indexed: IndexedSoFar | null;
  /** What went wrong on the way. */
  readonly notes: readonly string[];
}

/** All that changed is in the graph, or the question is not about files. */
export const FRESH: FreshState = { pendingFiles: [], unchecked: null, indexed: null, notes: [] };

/**
 * The state as answers give it.
 *
 * @param changed Files that the walker itself found changed when it cited them; these are named first.
 * @param missing How many files an index run that did not finish has still to write.
 */
export function filesState(
  { pendingFiles, unchecked, indexed }: FreshState,
  changed: readonly string[] = [],
  missing = 0,
): FilesState {
  const files = [...new Set([...changed, ...pendingFiles])];
  return {
    pending: files.length + missing,
    ...(files.length === 0 ? {} : { pending_files: files.slice(0, LIMITS.pendingFiles.max) }),
    ...(unchecked === null ? {} : { freshness: 'unchecked' as const }),
    ...(unchecked?.ms == null ? {} : { unchecked_ms: unchecked.ms }),
    ...(indexed === null ? {} : { indexed }),
  };
}

/** The same as sentences; none where the graph is up to date. */
export function freshNotes(state: FilesState): string[] {
  const { pending, pending_files = [], freshness, unchecked_ms, indexed } = state;
  if (indexed)
    return [`${indexingText(indexed)}: nodes and edges are still missing. Ask again when it is done.`];
  const names = `${pending_files.join(', ')}${pending > pending_files.length ? ', …' : ''}`;
  const named = pending_files.length === 0 ? '' : `: ${names}`;
  const looked =
    unchecked_ms === undefined
      ? 'Files were not checked for changes.'
      : `Files were last checked for changes ${Math.ceil(unchecked_ms / 1000)} s ago.`;
  return [
    ...(pending > 0 ? [`${pending} ${pending === 1 ? 'file' : 'files'} changed since${named}.`] : []),
    ...(freshness ? [looked] : []),
  ];
}

/** That the project is being indexed, and how far that is. */
export function indexingText({ done, total }: IndexedSoFar): string {
  return `The project is being indexed${total > 0 ? ` (${done} of ${total} files)` : ''}`;
}
