import { z } from 'zod';

const count = z.number().int();

/** What indexing answers: the four counts of S3-01, and what it found in all. */
export const IndexOutput = z.object({
  /** Files extracted or written in this run. */
  files_indexed: count,
  /** Symbols of those files. */
  symbols_indexed: count,
  /** Concepts that those files name, and those of commits that are new. */
  concepts_indexed: count,
  duration_ms: z.number(),
  files_removed: count,
  /** Every text file in the graph. */
  files_total: count,
  symbols_total: count,
  edges_total: count,
  /** Per language, sorted by files. */
  languages: z.array(z.object({ language: z.string(), files: count, extracted: count, symbols: count })),
  symbols_by_kind: z.record(z.string(), count),
  edges_by_type: z.record(z.string(), count),
  /** Calls of symbols of the project, of packages outside of it, and those whose target is not known. */
  calls: z.object({ resolved: count, external: count, unresolved: count }),
  /** The file that most others import or call; null where none does. */
  central_file: z.string().nullable(),
  /** Files and folders that were left out, by reason. */
  skipped: z.record(z.string(), count),
  /** Files with a problem, each named. */
  problems: z.array(z.object({ path: z.string(), reason: z.string(), detail: z.string() })),
  /** How fast it was. */
  bytes_total: count,
  /** After the first index: the vanished root that this one may have been before it moved. The host says it. */
  moved_from: z.string().optional(),
});

export type IndexOutput = z.infer<typeof IndexOutput>;
