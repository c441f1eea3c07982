export { type ExplorerOptions, type RunningExplorer, serveExplorer } from './server.js';
