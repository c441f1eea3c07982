export { serveStdio } from './serve.js';
export { toolOf } from './tool.js';
