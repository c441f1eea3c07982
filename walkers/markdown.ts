export { countsLine, markdownTable, plural } from '../present/index.js';
