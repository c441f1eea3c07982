import { parentPort, workerData } from 'node:worker_threads';
import type { ThreadData } from './messages.js';
import { serveThread } from './serve-thread.js';

const data: ThreadData = workerData;
if (parentPort) await serveThread(parentPort, data);
