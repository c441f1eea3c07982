export { type CountingStore, countRoundTrips } from './counting.js';
export {
  compareCanonicalIn,
  compareCanonicalOut,
  compareCreation,
  compareIds,
  entryOrder,
} from './entry-order.js';
export { whenThere } from './frame.js';
export { type LayerOptions, openLayer } from './graph-layer.js';
export { hasLevelStore } from './has-level-store.js';
export {
  graphsFolder,
  type HomesOptions,
  homesUnder,
  isFolder,
  markHome,
  type ProjectHomes,
  pathHash,
  projectHomes,
} from './homes.js';
export { inTurns } from './in-turns.js';
export type * from './kv.js';
export type * from './layer.js';
export { keepLevelLoaded, openLevelStore } from './level.js';
export { makeFolder } from './make-folder.js';
export { openMemoryStore } from './memory.js';
export { moveStore, removeStore, rewriteStore } from './moving-stores.js';
export { ownerOf } from './packed/owner.js';
export { isDamage } from './store-error.js';
export { nextToStore, swapStore } from './swap-store.js';
