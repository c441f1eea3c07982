import { parentPort, workerData } from 'node:worker_threads';
import { compileLater } from './compile-later.js';
import { endOnPurpose } from './fault.js';
import type { ThreadData } from './messages.js';
import { serveThread } from './serve-thread.js';

compileLater();
const data: ThreadData = workerData;
endOnPurpose(process.env);
if (parentPort) await serveThread(parentPort, data);
