export { isoOf, timeOf } from '../../schema/index.js';
