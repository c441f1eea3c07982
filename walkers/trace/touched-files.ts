export { type PlaceOf, placesIn } from '../../graphs/trace/index.js';
