import { BEAT_MS, WATCHED, type WatchedTask, type WatchMessage } from './messages.js';

/** What the watchdog needs to know of a task beside its name. */
export type WatchedOptions = Partial<Pick<WatchedTask, 'request' | 'failure'>>;

/** The watched side: says what runs, and shows signs of life for as long as the thread yields. */
export interface Heartbeat {
  /** Runs `body`, known to the watchdog as `what`. */
  watch<T>(what: string, body: () => Promise<T>, options?: WatchedOptions): Promise<T>;
}

/** Ends this process on purpose: nobody who watches it complains. */
export function leave(code = process.exitCode): never {
  send({ kind: 'leave' });
  process.exit(code);
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
  process.on('disconnect', () => leave(1));
  process.channel?.unref();
  setInterval(() => send({ kind: 'beat' }), BEAT_MS).unref();
  let tasks = 0;
  return {
    async watch(what, body, { request = null, failure = 'WALKER_FAILED' } = {}) {
      const task: WatchedTask = { id: String(++tasks), what, request, failure };
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
  if (process.connected && process.send) process.send(message);
}
