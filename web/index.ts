export { type ApiOptions, ExplorerApi, type ViewAnswer } from './api.js';
export { type ExplorerOptions, type RunningExplorer, serveExplorer } from './server.js';
export { singlePage } from './single-page.js';
