/** Milliseconds after which a thread ends itself, about; where it is not set, none does. */
const EXIT_MS = 'CODEWALK_FAULT_WORKER_EXIT_MS';

/**
 * Ends this thread on purpose after a time, wherever it then is, when the environment asks for it: bench/storm.mjs
 * tries what becomes of its work.
 */
export function endOnPurpose(env: Readonly<Record<string, string | undefined>>): void {
  const about = Number(env[EXIT_MS]);
  if (about > 0) setTimeout(() => process.exit(1), about * (0.5 + Math.random())).unref();
}
