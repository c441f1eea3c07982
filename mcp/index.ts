export { type McpOptions, serveStdio } from './serve.js';
export { type ListedTool, type ToolFormat, toolOf } from './tool.js';
