export { LONGEST_SECRET, masked, maskedEnds, maskedRange, secretSpans, withoutSecrets } from './mask.js';
export { secretName } from './secret-names.js';
export type { SecretSpan } from './span.js';
