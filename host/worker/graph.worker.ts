import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from './messages.js';
import { serveThread } from './serve-thread.js';

/** Milliseconds after which a thread ends itself, about; where it is not set, none does. */
const EXIT_MS = 'CODEWALK_FAULT_WORKER_EXIT_MS';

/** How much bytecode a function runs, in bytes, before V8 optimises it; of itself it takes 67,584. */
const BUDGET = 500_000;

compileLater();
const data: ThreadData = workerData;
endOnPurpose(process.env);
if (parentPort) await serveThread(parentPort, data);

/**
 * Lets functions run longer before they are optimised, on Node 20. An index runs much code a little: much of its
 * processor time went to optimising what was hardly used then. Later versions have a cheaper step before, and gain
 * nothing. It holds for the whole process. `bench/index.mjs` measures it.
 */
function compileLater(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString(`--interrupt-budget=${BUDGET}`);
}

/**
 * Ends this thread on purpose after a time, wherever it then is, when the environment asks for it: bench/storm.mjs
 * tries what becomes of its work.
 */
function endOnPurpose(env: Readonly<Record<string, string | undefined>>): void {
  const about = Number(env[EXIT_MS]);
  if (about > 0) setTimeout(() => process.exit(1), about * (0.5 + Math.random())).unref();
}
