export { Archive } from './archive.js';
export { ArchiveLine, edgeLine, eventLine, followsFromEvents, nodeLine } from './archive-line.js';
export { archivedLayer } from './archived-layer.js';
