import type { Pause } from './kv.js';

/** So many items are worked on between two looks at the clock: some tenths of a millisecond. */
const STRETCH = 32;

/** Does something with each item, in order, and gives way to others between stretches of them. */
export async function inTurns<T>(items: Iterable<T>, pause: Pause, work: (item: T) => void): Promise<void> {
  let left = STRETCH;
  for (const item of items) {
    work(item);
    left -= 1;
    if (left > 0) continue;
    left = STRETCH;
    const turn = pause();
    if (turn) await turn;
  }
}
