export { readAttempts } from '../../../graphs/trace/index.js';
