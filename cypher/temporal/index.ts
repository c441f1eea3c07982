export { componentOf } from './components.js';
export { durationFromMap, durationSum, later } from './duration.js';
export { converted, instantFromMap, instantOf } from './instant.js';
export { orderDurations, orderInstants } from './order.js';
export { readDuration, readInstant } from './read.js';
export { temporalText } from './show.js';
