import type { SpawnOptions } from '../host/index.js';

/** One progress notification of MCP, without its token. */
export interface ProgressNote {
  /** Only ever grows, over all phases of a run. */
  readonly progress: number;
  readonly total?: number;
  readonly message: string;
}

/** Milliseconds between two notes. */
const INTERVAL = 100;

/**
 * Progress of a run, phase by phase, as MCP wants it: growing, and not more often than somebody can read.
 *
 * @param clock milliseconds
 */
export function steadyProgress(
  send: (note: ProgressNote) => void,
  clock: () => number,
): NonNullable<SpawnOptions['onProgress']> {
  let phaseNow = '';
  let before = 0;
  let last = 0;
  let sent = Number.NEGATIVE_INFINITY;
  return ({ phase, done, total, item }) => {
    if (phase !== phaseNow) before = last;
    const isNew = phase !== phaseNow;
    phaseNow = phase;
    const progress = before + done;
    if (progress <= last || (clock() - sent < INTERVAL && !isNew)) return;
    last = progress;
    sent = clock();
    send({
      progress,
      ...(total === null ? {} : { total: before + total }),
      message: item === undefined ? phase : `${phase}: ${item}`,
    });
  };
}
