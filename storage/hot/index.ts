export { HotLayer, type Later } from './hot-layer.js';
export { HotVersion } from './hot-version.js';
