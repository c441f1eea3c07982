import { globOf, withoutBraces } from './glob.js';

/**
 * File names that hold secrets (spec P-04), in any case. Such a file is never opened, whatever is included.
 */
export const SECRET_NAMES: readonly string[] = [
  '.env',
  '.env.*',
  '*.env',
  '.envrc',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.p8',
  '*.jks',
  '*.keystore',
  '*.kdbx',
  '*.ppk',
  '*.gpg',
  'id_rsa',
  'id_dsa',
  'id_ecdsa',
  'id_ed25519',
  '.netrc',
  '_netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.htpasswd',
  '.git-credentials',
  '.dockercfg',
  '.dockerconfigjson',
  '.s3cfg',
  '.boto',
  '.vault-token',
  'credentials',
  'credentials.json',
  '*.credentials.json',
  'service-account*.json',
  'service_account*.json',
  '*.tfvars',
  '*.tfstate',
  '*.tfstate.*',
];

/** Names that show what a secret file looks like without holding secrets. */
export const SECRET_EXAMPLES: readonly string[] = [
  '*.{example,sample,template,dist,defaults}',
  '*.{example,sample,template}.*',
];

/** Folders that hold nothing but secrets. */
export const SECRET_FOLDERS: readonly string[] = ['.ssh', '.gnupg', '.aws', '.kube'];

const rules = SECRET_NAMES.map((glob) => ({ glob, matches: globOf(glob) }));
const examples = SECRET_EXAMPLES.flatMap(withoutBraces).map(globOf);

/** The rule that makes a file of this name secret; null when none does. */
export function secretRule(name: string): string | null {
  const lower = [name.toLowerCase()];
  const rule = rules.find(({ matches }) => matches(lower));
  return rule === undefined || examples.some((matches) => matches(lower)) ? null : rule.glob;
}

/** Whether a folder of this name is secret as a whole. */
export function isSecretFolder(name: string): boolean {
  return SECRET_FOLDERS.includes(name.toLowerCase());
}
