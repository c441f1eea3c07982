export type { McpApps } from './apps.js';
export { serveStdio } from './serve.js';
export { toolOf } from './tools.js';
