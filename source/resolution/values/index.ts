export { type Called, calledThroughValues, type KnownCall } from './called.js';
export { isNarrowed, isOfDerived } from './narrowed.js';
