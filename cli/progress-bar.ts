import type { SpawnOptions } from '../host/index.js';

/** A progress bar that draws what a run reports. */
export interface ProgressBar {
  readonly onProgress: NonNullable<SpawnOptions['onProgress']>;
  /** Takes the bar away: answers follow. */
  stop(): void;
}

/** Which part of an index run a phase is, about: one bar grows through all of them. */
const PARTS: Readonly<Record<string, readonly [from: number, to: number]>> = {
  discover: [0, 0.05],
  extract: [0.05, 0.6],
  resolve: [0.6, 0.8],
  'write nodes': [0.8, 0.9],
  'write edges': [0.9, 1],
};

/** A bar on `stream`; null: nobody looks, nothing is drawn. */
export async function progressBar(stream: NodeJS.WriteStream | null): Promise<ProgressBar> {
  if (stream === null) return { onProgress: () => undefined, stop: () => undefined };
  const { default: progress } = await import('cli-progress');
  const bar = new progress.SingleBar(
    {
      stream,
      format: '[{bar}] {percentage}% {phase} {count} {item}',
      hideCursor: true,
      clearOnComplete: true,
      barsize: 24,
      linewrap: false,
      gracefulExit: false,
    },
    progress.Presets.shades_grey,
  );
  let started = false;
  let share = 0;
  return {
    onProgress({ phase, done, total, item = '' }) {
      const part = PARTS[phase];
      const own = total ? Math.min(1, done / total) : 0;
      // A large project is indexed in pieces: their phases come again, and the bar never goes back.
      share = part ? Math.max(share, part[0] + (part[1] - part[0]) * own) : own;
      const shown = { phase, count: total === null ? String(done) : `${done}/${total}`, item };
      if (!started) bar.start(100, 0, shown);
      started = true;
      bar.update(Math.floor(share * 100), shown);
    },
    stop: () => bar.stop(),
  };
}
