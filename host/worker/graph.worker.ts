import { setFlagsFromString } from 'node:v8';
import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from './messages.js';
import { serveThread } from './serve-thread.js';

/** How much bytecode a function runs, in bytes, before V8 optimises it; of itself it takes 67,584. */
const BUDGET = 500_000;

/*
 * On Node 20 functions run longer before they are optimised, in the whole process. An index runs much code a little: much
 * of its processor time went to optimising what was hardly used then. Later versions have a cheaper step before, and gain
 * nothing. `bench/index.mjs` measures it.
 */
if (process.versions.v8.startsWith('11.')) setFlagsFromString(`--interrupt-budget=${BUDGET}`);

/** How much the heap grows after a collection of all of it, in percent of what lives, before the next one. */
const GROWTH = 50;

/*
 * V8 lets a heap grow to four times of what lives where the machine has much memory. A large index makes as much garbage
 * as it is let to; collecting it more often costs an index little time and saves much memory. `bench/growth.mjs` prints both.
 */
setFlagsFromString(`--heap-growing-percent=${GROWTH}`);

/* `bench/storm.mjs` has threads end themselves after about so many milliseconds, to see what becomes of their work. */
const exitMs = Number(process.env.CODEWALK_FAULT_WORKER_EXIT_MS);
if (exitMs > 0) setTimeout(() => process.exit(1), exitMs * (0.5 + Math.random())).unref();

const data: ThreadData = workerData;
if (parentPort) await serveThread(parentPort, data);
