// What the short storms of `npm test` share with bench/storm.mjs.
export { deliveriesOf, eventsOf } from './events.mjs';
export { startTogether } from './starts.mjs';
export { faultsOf, passStorm } from './storm.mjs';
export { compared, replay, tracesOf } from './traces.mjs';
