import type { Progress } from '../../runtime/index.js';

/** Milliseconds between two notes of one phase. */
const INTERVAL = 100;

/** Progress that is passed on not more often than somebody can read: every new phase, and its end. */
export function steady(
  send: (progress: Progress) => void,
  clock: () => number,
): (progress: Progress) => void {
  let phase = '';
  let sent = Number.NEGATIVE_INFINITY;
  return (progress) => {
    const isNew = progress.phase !== phase;
    const isLast = progress.done === progress.total;
    if (!isNew && !isLast && clock() - sent < INTERVAL) return;
    phase = progress.phase;
    sent = clock();
    send(progress);
  };
}
