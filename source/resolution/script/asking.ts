import type { Program, TypeCache } from '../program.js';
import type { Type } from './type.js';

/** One question about a program's types, bounded: types can go in circles and grow without end. */
export interface Asking {
  readonly program: Program;
  /** Steps left for this question. */
  steps: number;
  /** Steps left for it and all questions in it. */
  total: number;
  /** How often an answer was cut short: what was found meanwhile is not the whole answer. */
  cuts: number;
  /** How deep the question stands in others. */
  depth: number;
  /** Questions that are being asked: what of, and in which cache their answer will be. */
  readonly open: { readonly of: unknown; readonly cache: unknown }[];
}

// Of hono's and vue's 90,000 questions none takes 256 steps. What is written to be asked without end is asked often.
const MOST_STEPS = 1000;
const MOST_IN_TOTAL = 2000;
const DEEPEST = 40;
const MOST_OPEN = 50;

/** A new question. */
export function asking(program: Program): Asking {
  return { program, steps: MOST_STEPS, total: MOST_IN_TOTAL, cuts: 0, depth: 0, open: [] };
}

/** The answer of `find`, one level deeper; null where it goes too deep or too far. */
export function deeper<T>(ask: Asking, find: () => T | null): T | null {
  if (ask.steps <= 0 || ask.total <= 0 || ask.depth >= DEEPEST) {
    ask.cuts++;
    return null;
  }
  ask.steps--;
  ask.total--;
  ask.depth++;
  try {
    return find();
  } finally {
    ask.depth--;
  }
}

/**
 * The type that answers a question which many ask, found once; null for a question inside of itself. It has steps of its
 * own: what it comes to must not depend on who asked first.
 */
export function once<K>(ask: Asking, cache: TypeCache<K>, of: K, find: () => Type | null): Type | null {
  const { open } = ask;
  if (open.length >= MOST_OPEN || open.some((one) => one.of === of && one.cache === cache)) {
    ask.cuts++;
    return null;
  }
  const { cuts, steps, depth } = ask;
  ask.steps = MOST_STEPS;
  ask.depth = 0;
  open.push({ of, cache });
  try {
    return ask.program.lookups.remembered(cache, of, find, () => ask.cuts === cuts);
  } finally {
    open.pop();
    ask.steps = steps;
    ask.depth = depth;
  }
}
