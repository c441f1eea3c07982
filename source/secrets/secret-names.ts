/**
 * How sure a name makes what stands under it: a `password` is whatever it is; a `key` may also be a word of a parser; what
 * is called `weak` (`key`, `sig`, `session`) is hardly ever a secret, but where its value looks like nothing else.
 */
export type NameStrength = 'password' | 'key' | 'weak';

/** Last words. */
const PASSWORDS =
  /^(?:passwords?|passwd|passphrase|passcode|passkey|pwd|pswd|secrets?|credentials?|pw|pass|requirepass|masterauth|mnemonic|psk|presharedkey|passwort|contrase(?:na|ña)|kennwort)$/;
const KEYS =
  /^(?:token|apikey|authkey|authtoken|accesstoken|jwt|bearer|authorization|pat|auth|dsn|apitoken|otp|totp|credential|wif|secretaccesskey|sastoken)$/;
const WEAK = /^(?:keys?|tokens|sig|signature|sid|seed|pin|login)$/;

/** Words that are written as one in lower or upper case. */
const GLUED_PASSWORD =
  /(?:password|passwd|passphrase|passcode|userpwd|secretkeybase|(?:root|bind|admin|user|db|my|sql|mysql|pg|ldap|smtp|mail|imap|ftp|ssh|svc|sa|http|proxy|repl|app|sudo|su|login|keystore|truststore|store|wifi|net|host|vnc|rpc|redis|mongo|require|ora|sys|web|new|old|enc|dec|priv|cert|jks|vpn|bot|ansible|backup)(?:pw|pass|pwd)|(?:client|app|api|consumer|shared|auth|jwt|session|hmac|webhook|signing|token|user|master|cookie|csrf)secret)$/;
const GLUED_KEY =
  /(?:(?:api|secret|secretaccess|access|private|priv|auth|account|encryption|encrypt|decryption|signing|sign|session|master|service|shared|license|licence|deploy|ssh|gpg|pgp|client|ssl|tls|subscription|consumer|integration|write|admin|function|preshared|server)key|[a-z]{2}token|keydata)$/;
/** Last two words. */
const PAIRS =
  /^(?:(?:\w{0,12}api|access|private|priv|secret|account|auth|encryption|encrypt|decryption|signing|session|master|service|shared|license|licence|deploy|webhook|ssh|gpg|pgp|client|consumer|subscription|admin|root|db|function|ssl|tls|preshared|integration|server|hmac|app|jwt|sas|write|merchant|cipher|aes|rsa|des|crypto) (?:key|keys|pass|pw|auth|pin|pwd)|connection (?:string|str|uri|url)|(?:key|cert) data|(?:api|access|auth|refresh|bearer|secret|bot) tokens|(?:seed|recovery|secret|mnemonic|backup) (?:phrase|words|codes?)|key base|(?:auth|in|nonce) salt|pass phrase|pass word|auth header|shared access)$/;

/** What may follow the word that names a secret: where it is used, which of several it is. */
const QUALIFIER =
  /^(?:db|prod|prd|production|dev|development|stg|stag|staging|stage|test|testing|live|local|old|new|prev|previous|current|cur|next|primary|secondary|backup|default|raw|plain|plaintext|clear|cleartext|str|string|b64|base|encoded|encrypted|value|val|confirm|confirmation|again|repeat|ro|rw|eu|us|ap|int|internal|external|ext|main|master|root|admin|one|two|a|b)$/;

/** What every name of a secret holds, and few others do. */
export const MAYBE_SECRET =
  /pass|pwd|pswd|secret|credential|token|key|jwt|bearer|authori[sz]ation|connection|mnemonic|recovery|seed|backup|contrase|kennwort|shared ?access|sig|salt|wif|otp|psk|auth|dsn|sid|pin|pat|pw|login/gi;

/**
 * Whether a name is that of a secret, by its last words: `DB_PASSWORD`, `apiKey`, `x-auth-token`, `dbpassword` and
 * `DB_PASSWORD_PROD` are; `max_tokens`, `token_count` and `passwordField` are not. Null: it is not.
 */
export function secretName(name: string): Exclude<NameStrength, 'weak'> | null {
  const strength = nameStrength(name);
  return strength === 'weak' ? null : strength;
}

/** Texts say few names many times. */
const known = new Map<string, NameStrength | null>();
const MOST_KNOWN = 4096;
/** V8 keeps the text alive that a longer part is cut from. */
const LONGEST_KNOWN = 12;

/** As {@link secretName}, with names that are hardly ever a secret's. */
export function nameStrength(name: string): NameStrength | null {
  if (name.length > LONGEST_KNOWN) return strengthOf(name);
  const before = known.get(name);
  if (before !== undefined) return before;
  if (known.size >= MOST_KNOWN) known.clear();
  const strength = strengthOf(name);
  known.set(name, strength);
  return strength;
}

function strengthOf(name: string): NameStrength | null {
  const words = wordsOf(name);
  while (words.length > 1 && QUALIFIER.test(words.at(-1) ?? '') && !isPair(words)) words.pop();
  const last = words.at(-1) ?? '';
  if (
    PASSWORDS.test(last) ||
    GLUED_PASSWORD.test(last) ||
    /^(?:secret key base|pre shared key|(?:seed|recovery|secret|mnemonic) (?:phrase|words))$/.test(
      words.slice(-3).join(' '),
    )
  )
    return 'password';
  if (/(?:^|\s)(?:seed|recovery|mnemonic) (?:phrase|words)$/.test(words.slice(-2).join(' ')))
    return 'password';
  if (KEYS.test(last) || GLUED_KEY.test(last) || isPair(words)) return 'key';
  return WEAK.test(last) ? 'weak' : null;
}

function isPair(words: readonly string[]): boolean {
  return PAIRS.test(words.slice(-2).join(' '));
}

function wordsOf(name: string): string[] {
  return name
    .slice(-100)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-zñ]+/)
    .filter((word) => word !== '');
}
