export { serveStdio } from './serve.js';
export { toolOf } from './tools.js';
