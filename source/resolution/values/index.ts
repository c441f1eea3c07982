export { type Called, calledThroughValues, type KnownCall } from './called.js';
