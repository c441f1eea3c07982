export { Archive } from './archive.js';
export { ArchiveLine, edgeLine, nodeLine } from './archive-line.js';
export { archivedLayer } from './archived-layer.js';
