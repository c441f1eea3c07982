import { z } from 'zod';
import type { Cycle } from './shortest-cycles.js';

/** What a circle is made of. */
export const CYCLE_TYPES = ['imports', 'calls', 'inheritance'] as const;
/** One of {@link CYCLE_TYPES}. */
export type CycleType = (typeof CYCLE_TYPES)[number];

/** Things that need each other (S0-31). */
export const CircularDependency = z.object({
  cycle_type: z.enum(CYCLE_TYPES),
  /** Qualified names; the first stands at the end again. */
  cycle_path: z.array(z.string()),
  /** Hops: 1 for what leads to itself. */
  cycle_length: z.number().int(),
});
export type CircularDependency = z.infer<typeof CircularDependency>;

/** The row of a circle. */
export function circularDependency(
  cycle_type: CycleType,
  cycle: Cycle,
  nameOf: (id: string) => string,
): CircularDependency {
  return { cycle_type, cycle_path: closed(cycle).map(nameOf), cycle_length: cycle.length };
}

/** The nodes of a circle and the first one again. */
export function closed(cycle: Cycle): string[] {
  return [...cycle, ...cycle.slice(0, 1)];
}

/** A circle in words: `A -> B -> A`. */
export function cycleText({ cycle_path }: Pick<CircularDependency, 'cycle_path'>): string {
  return cycle_path.join(' -> ');
}
