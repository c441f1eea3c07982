export { storedParams as keptParams, storedText as keptText } from '../../source/index.js';
