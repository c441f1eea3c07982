import type { CypherValue } from './value.js';

/** What one run gives to its expressions. */
export interface RunValues {
  /** Under their names, without `$`. */
  readonly parameters: ReadonlyMap<string, CypherValue>;
  /** What `rand()` says: from 0 up to, not including, 1. */
  random(): number;
  /** What `timestamp()` says: milliseconds since 1970, the same all through one run. */
  now(): number;
  /** Loops inside expressions say how many items they go over; throws once the run is out of time. */
  spend(items: number): void;
  /** Expressions that put lists or maps into others show what they made; throws where it is more than a run may have. */
  made(value: CypherValue): void;
  /**
   * Expressions that make lists say about how many bytes these take; throws once that is more than a run may have.
   * Whoever drives the run says when a new count starts.
   */
  hold(bytes: number): void;
}
