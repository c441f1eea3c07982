import type { ErrorType } from '../../schema/index.js';

/** One failure that an output shows. */
export interface Sighting {
  /** What failed: a test as its runner calls it, or a place in a file; null: nothing is named. */
  readonly name: string | null;
  /** In one line; empty: nothing is said. */
  readonly reason: string;
  /** Where it is told: index of its first line. */
  readonly line: number;
}

/** What one way of reading finds in an output. */
export interface Found {
  readonly errorType: ErrorType;
  /** At least one, in the order in which they are told. */
  readonly sightings: readonly Sighting[];
}

/** Reads the lines that one runner or compiler prints; null where they are none of its own. */
export type Reading = (lines: readonly string[]) => Found | null;

/** What was found of a type; null where that is nothing. */
export function found(errorType: ErrorType, sightings: readonly Sighting[]): Found | null {
  return sightings.length === 0 ? null : { errorType, sightings };
}
