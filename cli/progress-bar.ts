import type { SpawnOptions } from '../host/index.js';

/** A progress bar that draws what a run reports. */
export interface ProgressBar {
  readonly onProgress: NonNullable<SpawnOptions['onProgress']>;
  /** Takes the bar away: answers follow. */
  stop(): void;
}

/** A bar on `stream`; null: nobody looks, nothing is drawn. */
export async function progressBar(stream: NodeJS.WriteStream | null): Promise<ProgressBar> {
  if (stream === null) return { onProgress: () => undefined, stop: () => undefined };
  const { default: progress } = await import('cli-progress');
  const bar = new progress.SingleBar(
    {
      stream,
      format: '{phase} [{bar}] {count} {item}',
      hideCursor: true,
      clearOnComplete: true,
      barsize: 24,
      linewrap: false,
      gracefulExit: false,
    },
    progress.Presets.shades_grey,
  );
  let started = false;
  return {
    onProgress({ phase, done, total, item = '' }) {
      const count = total === null ? String(done) : `${done}/${total}`;
      const shown = { phase, count, item };
      if (!started) bar.start(total ?? 0, done, shown);
      started = true;
      bar.setTotal(total ?? 0);
      bar.update(total === null ? 0 : done, shown);
    },
    stop: () => bar.stop(),
  };
}
