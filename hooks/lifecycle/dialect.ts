import type { Doing, Outcome } from '../told.js';
import type { LifecycleFields } from './fields.js';

/** One call in a payload that tells of many. */
export interface BatchedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly id: string | null;
  readonly outcome: Outcome;
}

/** Where clients with lifecycle hooks differ. */
export interface Dialect {
  /** What the client's own tools are for, by their names. */
  readonly tools: Readonly<Record<string, Doing>>;
  /** The client's name of the prompt at work; null: not told. */
  promptOf(fields: LifecycleFields): string | null;
  /** What the person wrote. */
  userTextOf(fields: LifecycleFields): string;
  /** Of an event that tells of a call's end. */
  outcomeOf(fields: LifecycleFields, failed: boolean): Outcome;
  /** Calls that no event of their own tells of. */
  batchOf(fields: LifecycleFields): readonly BatchedCall[];
}
