export { LONGEST_SECRET, masked, maskedRange, secretSpans } from './mask.js';
export { secretName } from './secret-names.js';
export type { SecretSpan } from './span.js';
