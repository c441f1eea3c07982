import { z } from 'zod';
import { CALL_TYPES } from '../../../schema/index.js';
import type { CallRef } from './calls.js';

/** A call between two rows of an answer (S0-47, S0-48). */
export const CallEdge = z.object({
  /** Qualified names. */
  from_function: z.string(),
  to_function: z.string(),
  call_type: z.enum(CALL_TYPES),
  /** Of the first place. */
  line: z.number().int(),
  /** No call of its own: what the calls of `from_function` may run in its place, which overrides or implements it. */
  may: z.literal(true).optional(),
});
/** See {@link CallEdge}. */
export type CallEdge = z.infer<typeof CallEdge>;

/** A call, or where it may go on to; see {@link CallEdge}. */
export interface GraphEdge extends CallRef {
  readonly may?: true;
}

/** The row of a call. @param nameOf The qualified name of an end, by its id. */
export function callEdge(
  { from, to, call_type, line, may }: GraphEdge,
  nameOf: (id: string) => string,
): CallEdge {
  return { from_function: nameOf(from), to_function: nameOf(to), call_type, line, ...(may ? { may } : {}) };
}
