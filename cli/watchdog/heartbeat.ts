import { BEAT_MS, WATCHED, type WatchedTask, type WatchMessage } from './messages.js';

/** The watched side: says what runs, and shows signs of life for as long as the thread yields. */
export interface Heartbeat {
  /** Runs `body`, known to the watchdog as `what`. */
  watch<T>(what: string, body: () => Promise<T>, request?: string | number | null): Promise<T>;
}

/** Whether a watchdog started this process. */
export function isWatched(): boolean {
  return process.send !== undefined && process.env[WATCHED] === '1';
}

/** Signs of life to the watchdog; nothing at all where nobody watches. Never keeps the process alive. */
export function startHeartbeat(): Heartbeat {
  if (!isWatched()) return { watch: (_, body) => body() };
  // Processes that are started from here are not watched.
  delete process.env[WATCHED];
  process.on('disconnect', () => process.exit(1));
  process.channel?.unref();
  setInterval(() => send({ kind: 'beat' }), BEAT_MS).unref();
  let tasks = 0;
  return {
    async watch(what, body, request = null) {
      const task: WatchedTask = { id: String(++tasks), what, request };
      send({ kind: 'begin', task });
      try {
        return await body();
      } finally {
        send({ kind: 'end', id: task.id });
      }
    },
  };
}

function send(message: WatchMessage): void {
  if (process.connected) process.send?.(message);
}
