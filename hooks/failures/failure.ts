import type { ErrorType } from '../../schema/index.js';

/** What went wrong, as a person would say it. */
export interface Failure {
  readonly errorType: ErrorType;
  /** One line. */
  readonly message: string;
  /** The failing tests by their runner's own names, in its order. */
  readonly tests: readonly string[];
  /** Files that the output names as places of the failure; as it spells them, or absolute. */
  readonly files: readonly string[];
  /** The part of the output that tells of it. */
  readonly excerpt: string;
}
