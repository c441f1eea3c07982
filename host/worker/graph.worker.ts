import { parentPort, workerData } from 'node:worker_threads';
import { endOnPurpose } from './fault.js';
import type { ThreadData } from './messages.js';
import { serveThread } from './serve-thread.js';

const data: ThreadData = workerData;
endOnPurpose(process.env);
if (parentPort) await serveThread(parentPort, data);
