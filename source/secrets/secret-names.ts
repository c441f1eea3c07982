/** How sure a name makes what stands under it: a password is whatever it is; a token may also be a word of a parser. */
export type NameStrength = 'password' | 'key';

const PASSWORDS = /^(?:password|passwd|passphrase|passcode|pwd|secret|secrets|credential|credentials)$/u;
const KEYS = /^(?:token|apikey|authkey|authtoken|accesstoken|cookie|jwt|bearer|authorization|pat)$/u;
/** Two words that make a name of a secret where the last alone would not. */
const PAIRS =
  /(?:api|access|private|secret|account|auth|encryption|signing|session|master|service|shared|storage|license|deploy|webhook|ssh|gpg|client|admin|root|db) (?:key|pass|pw|auth|pin)$|(?:connection) string$|^(?:auth|dsn|pass)$/u;

/** What every name of a secret holds, and few others do; short words where they end as words do. */
export const MAYBE_SECRET =
  /passw|passphrase|passcode|pwd|secret|credential|token|key|cookie|jwt|bearer|authorization|connection|(?:pat|pw|pass|pin|dsn|auth)(?![a-z])/gi;

/**
 * Whether a name is that of a secret, by its last word: `DB_PASSWORD`, `apiKey`, `x-auth-token` are; `max_tokens`,
 * `token_count` and `passwordField` are not. Null: it is not.
 */
export function secretName(name: string): NameStrength | null {
  const words = wordsOf(name);
  const last = words.at(-1) ?? '';
  if (PASSWORDS.test(last)) return 'password';
  if (KEYS.test(last) || PAIRS.test(words.slice(-2).join(' ')) || PAIRS.test(last)) return 'key';
  return null;
}

function wordsOf(name: string): string[] {
  return name
    .slice(-100)
    .replace(/([a-z0-9])([A-Z])/gu, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/gu, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/u)
    .filter((word) => word !== '');
}
