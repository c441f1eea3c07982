import type { Program } from '../program.js';
import type { Type } from './type.js';

/** One question about a program's types, bounded: types can go in circles and grow without end. */
export interface Asking {
  readonly program: Program;
  /** Steps left. */
  steps: number;
  /** How often an answer was cut short: what was found meanwhile is not the whole answer. */
  cuts: number;
  /** How deep the question stands in others. */
  depth: number;
  /** Questions that are being asked. */
  readonly open: Set<string>;
}

const MOST_STEPS = 4000;
const DEEPEST = 40;

/** A new question. */
export function asking(program: Program): Asking {
  return { program, steps: MOST_STEPS, cuts: 0, depth: 0, open: new Set() };
}

/** The answer of `find`, one level deeper; null where it goes too deep or too far. */
export function deeper<T>(ask: Asking, find: () => T | null): T | null {
  if (ask.steps <= 0 || ask.depth >= DEEPEST) {
    ask.cuts++;
    return null;
  }
  ask.steps--;
  ask.depth++;
  try {
    return find();
  } finally {
    ask.depth--;
  }
}

/** The type that answers a question which many ask, found once; null for a question inside of itself. */
export function once(ask: Asking, key: string, find: () => Type | null): Type | null {
  if (ask.open.has(key)) {
    ask.cuts++;
    return null;
  }
  const { cuts } = ask;
  ask.open.add(key);
  try {
    const { lookups, caches } = ask.program;
    return lookups.remembered(caches.types, key, find, () => ask.cuts === cuts);
  } finally {
    ask.open.delete(key);
  }
}
