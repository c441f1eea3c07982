export { linkedView, linkFile } from './link-file.js';
