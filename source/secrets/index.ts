export { LONGEST_SECRET, masked, maskedEnds, maskedRange, secretSpans, withoutSecrets } from './mask.js';
export { secretName } from './secret-names.js';
export type { SecretSpan } from './span.js';
export { NOT_CHECKED, type StoredText, storedParams, storedText, withoutTexts } from './stored-text.js';
