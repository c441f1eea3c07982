export { minuteOf } from './rows.js';
