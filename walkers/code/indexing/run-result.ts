/** What a run did. */
export interface RunResult {
  /** Paths that were extracted, or read anew. */
  readonly changed: ReadonlySet<string>;
  readonly removed: readonly string[];
  /** How many files were resolved. */
  readonly resolved: number;
  /** Concepts that commits name, new or another than before. */
  readonly commitConcepts: number;
}
