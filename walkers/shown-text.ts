export { firstLine, quotedBlock, quotedLine, quotedName, shownLine } from '../present/index.js';
