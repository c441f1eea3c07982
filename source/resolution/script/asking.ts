import type { Program } from '../program.js';
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
  /** Questions that are being asked. */
  readonly open: Set<string>;
}

const MOST_STEPS = 4000;
const MOST_IN_TOTAL = 40_000;
const DEEPEST = 40;
const MOST_OPEN = 50;

/** A new question. */
export function asking(program: Program): Asking {
  return { program, steps: MOST_STEPS, total: MOST_IN_TOTAL, cuts: 0, depth: 0, open: new Set() };
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
export function once(ask: Asking, key: string, find: () => Type | null): Type | null {
  if (ask.open.has(key) || ask.open.size >= MOST_OPEN) {
    ask.cuts++;
    return null;
  }
  const { cuts, steps, depth } = ask;
  ask.steps = MOST_STEPS;
  ask.depth = 0;
  ask.open.add(key);
  try {
    const { lookups, caches } = ask.program;
    return lookups.remembered(caches.types, key, find, () => ask.cuts === cuts);
  } finally {
    ask.open.delete(key);
    ask.steps = steps;
    ask.depth = depth;
  }
}
