import type { SecretSpan } from './span.js';
import { looks } from './value-look.js';
import type { WordHit, WordTable } from './word-finder.js';

/**
 * Credentials that the words around them give away: headers, statements, calls, phrases.
 *
 * @param near Where {@link NEAR_WORDS} stand.
 */
export function placedSecrets(text: string, near: readonly WordHit[]): SecretSpan[] {
  const words = new Set(near.map(({ word }) => word));
  const found = PLACES.filter((place) => place.near.some((word) => words.has(word)));
  return found.flatMap((place) => placed(text, place));
}

interface Place {
  readonly name: string;
  /** One of these, in lower case, stands in every text that has one. */
  readonly near: readonly string[];
  /** Looked for as it is, in lower case or not. */
  readonly pattern: RegExp;
  /** Whether a match is a secret. */
  readonly accepts?: (value: string) => boolean;
}

const isNoPlaceholder = (value: string) => looks(value, 'word');
const isNumbered = (value: string) => looks(value, 'numbered');
const isMixed = (value: string) => looks(value, 'mixed');
const isOpaque = (value: string) => looks(value, 'opaque');
/** Words of a wallet, also numbered or quoted one by one. */
const PHRASE =
  /\b(?:mnemonic|(?:seed|recovery|secret|backup|wallet)[ _-]?(?:phrase|words|seed))["'`*_]{0,3}(?:[ \t]\([^)\n]{0,30}\))?[ \t]{0,8}(?:is|=>|[:=])?[ \t\n"'`*[]{0,12}(?<value>(?:1[.)] ?)?[a-z]{3,8}(?:["',]{0,3}[ \t]{1,4}["']?(?:\d{1,2}[.)] ?)?[a-z]{3,8}){4,24})/dgi;
const isPhrase = (value: string) =>
  !/\b(?:the|and|you|your|that|this|with|from|for|are|can|will|not|have|has|when|they|must|which|was|used|into)\b/.test(
    value,
  );
/** Every repetition is bounded, and each pattern begins with a word. */
const PLACES: readonly Place[] = [
  {
    name: 'authorization',
    near: ['authorization'],
    pattern:
      /authorization["'`\\]{0,4}[ \t]{0,5}[:=,]?[ \t]{0,5}["'`\\]{0,4}(?:bearer|basic|token|digest|negotiate|apikey|api-key|key|aws4-hmac-sha256|hmac|bot|sso-key|splunk|oauth|ntlm|pat|ssws|geniekey|client-key|live|phoenix)[ \t]{1,5}(?<value>[^\s"'\\`<>]{4,8000}(?:,[ \t]?\w{1,20}=["']?[^\s"'\\]{1,1000}["']?){0,20})/dgi,
    accepts: isMixed,
  },
  // No scheme: an opaque value, so that no type or word is one.
  {
    name: 'authorization',
    near: ['authorization'],
    pattern: /authorization["'`\\]{0,4}[ \t]{0,5}[:=][ \t]{0,5}["'`\\]{0,4}(?<value>[\w.~+/=:-]{12,4000})/dgi,
    accepts: isOpaque,
  },
  { name: 'digest', near: ['response="'], pattern: /\bresponse="(?<value>[0-9a-f]{32,64})"/dg },
  {
    name: 'bearer token',
    near: ['bearer'],
    pattern: /\bbearer["'`]{0,2}(?:[ \t:=]{1,5}|\r?\n[ \t]{1,8})["'`]?(?<value>[\w.~+/=-]{12,8000})/dgi,
    accepts: isOpaque,
  },
  {
    name: 'cookie',
    near: ['cookie'],
    pattern:
      /\bcookie2?["'`\\]{0,4}[ \t]{0,5}[:=][ \t]{0,5}["'`\\]{0,4}[\w.$%!-]{1,100}=(?<value>[^\s"'\\;][^\n\r"'\\]{2,8000})/dgi,
    accepts: (value) => value.split(/[;=\s]/, 40).some((part) => part.length >= 8 && isOpaque(part)),
  },
  {
    name: 'password in SQL',
    near: ['password', 'identified'],
    pattern:
      /\b(?:identified[ \t]{1,5}(?:with[ \t]{1,5}\S{1,40}[ \t]{1,5})?(?:by|as)(?:[ \t]{1,5}(?:values|password))?|(?:encrypted|with|login|superuser|createdb|user|role)[ \t]{1,5}password|set[ \t]{1,5}password[^\n=]{0,60}=)[ \t]{0,5}(?:=[ \t]{0,3}|password\()?[ \t]{0,3}["'`](?<value>[^"'`\n]{1,200})["'`]/dgi,
    accepts: isNoPlaceholder,
  },
  {
    name: 'password in SQL',
    near: ['identified'],
    pattern: /\bidentified[ \t]{1,5}by[ \t]{1,5}(?<value>[^\s"'`;,()]{3,200})/dgi,
    accepts: isMixed,
  },
  // A data source of Go, `user:password@tcp(host)`.
  {
    name: 'password in a DSN',
    near: ['@(', '@tcp(', '@unix(', '@udp('],
    pattern: /@(?:tcp|unix|udp)?\((?<=[\w.-]{1,40}:(?<value>[^\s:@"'`(]{3,100})@\w{0,4}\()/dg,
    accepts: isNoPlaceholder,
  },
  // .pgpass: host:port:database:user:password
  {
    name: 'password of pgpass',
    near: [':*:', ':5432:', ':5433:', ':6432:'],
    pattern:
      /:(?:\d{2,5}|\*):(?<=(?:^|[\s"'`])[\w.*-]{1,80}:[\d*]{1,5}:)[\w.*-]{1,60}:[\w.*-]{1,60}:(?<value>[^\s:"'`]{4,100})(?=$|[\s"'`])/dg,
    accepts: isNoPlaceholder,
  },
  {
    name: 'key of a JWK',
    near: ['"d"', '"p"', '"q"', '"dp"', '"dq"', '"qi"', '"k"'],
    pattern: /"(?:d|p|q|dp|dq|qi|k)"[ \t]{0,8}:[ \t]{0,8}"(?<value>[\w-]{20,4000})"/dg,
  },
  // The last literal of a call that takes a name and a password.
  {
    name: 'password',
    near: [
      'credential(',
      'credentials(',
      'provider(',
      '.create(',
      'auth(',
      'password(',
      'user(',
      'login(',
      'log_in(',
      'signin(',
      'sign_in(',
      'authenticate(',
      'connect(',
      'client(',
      'credentials = (',
      'auth = (',
      'auth=(',
      'sp_addlogin ',
      'twilio(',
      'algoliasearch(',
    ],
    pattern:
      /(?:Credentials?(?:Provider)?(?:\.create)?|HTTP(?:Basic|Digest)Auth|set_?basic_?auth|basic_?auth|changeUserPassword|updateUser|createUser|sp_addlogin|AmazonS3Client|algoliasearch|twilio|auth|login|log_in|sign_?in|authenticate|connect|Client)(?:s?[ \t]?[:=][ \t]?[(]|\(|(?<=sp_addlogin) )[ \t\n]{0,20}(?:["'][^"'\n]{1,100}["']|[A-Za-z_.]{1,40}),[ \t\n]{0,20}["'](?<value>[^"'\n]{6,200})["'](?=[ \t\n]{0,20}[,)]|$|\n)/dgi,
    accepts: (value) => !/\s/.test(value) && looks(value, 'numbered'),
  },
  {
    name: 'password',
    near: ['secure', 'secretstr', 'fernet', 'wallet', 'password', 'privatekey', 'from_private_key'],
    pattern:
      /\b(?:ConvertTo-SecureString(?: -String)?|SecretStr|SecureString|Fernet|Wallet|PASSWORD|from_private_key|privateKeyToAccount)[( ][ \t]{0,4}b?["'](?<value>[^"'\n]{6,200})["']/dg,
    accepts: isNumbered,
  },
  {
    name: 'private key',
    near: ['"0x', "'0x", '`0x'],
    pattern:
      /["'`](?<value>0x[0-9a-fA-F]{64})["'`](?<=(?:accounts|keys?|wallet|signer)\W{0,12}["'`]0x[0-9a-fA-F]{64}["'`])/dgi,
  },
  // Other languages.
  {
    name: 'password',
    near: [
      'contrase',
      'mot de passe',
      'senha',
      'пароль',
      '密码',
      '密碼',
      'パスワード',
      '비밀번호',
      'passwort',
      'kennwort',
      'parola',
      'wachtwoord',
      'haslo',
      'hasło',
      'psw',
    ],
    pattern:
      /(?:contrase[nñ]a|mot de passe|senha|пароль|密码|密碼|パスワード|비밀번호|passwort|kennwort|parola|wachtwoord|has[lł]o|psw)["'`*]{0,3}[ \t]{0,3}[:=：][ \t]{0,3}["'`*]{0,3}(?<value>[^\s"'`]{4,200})/dgi,
    accepts: isNumbered,
  },
  // `user:password` behind a word that announces both.
  {
    name: 'password',
    near: ['credential', 'creds', 'login', 'basic auth', 'proxy', 'user', 'npmauthident'],
    pattern:
      /\b(?:credentials?|creds|login|basic auth|proxy(?:-user)?|user(?::pass)?|npmAuthIdent)["'`]{0,2}[ \t]{0,3}[:=]?[ \t]{0,3}["'`]?[\w.@-]{1,60}:(?<value>[^\s:@"'`/]{6,100})(?=[\s"'`@]|$)/dgi,
    accepts: isMixed,
  },
  {
    name: 'password',
    near: ['pass'],
    pattern:
      /(?:toBe|toEqual|type|send_?keys|fill|setValue|val)\((?:(?<=pass[^\n]{0,60})|(?=["'][^"'\n]{0,40}pass))(?:["'][^"'\n]{1,60}["'],[ ])?["'](?<value>[^"'\n]{4,200})["']/dgi,
    accepts: isMixed,
  },
  {
    name: 'key',
    near: ['jwt', 'jws', 'jose', 'hmac', 'aes(', 'aes.', 'des(', 'des.', 'fernet', 'createcipher'],
    pattern:
      /\b(?:jwt|jws|jose|hmac|AES|DES|Fernet|createHmac|createCipheriv|HMAC)(?:\.(?:sign|verify|encode|decode|new))?\((?:[^"'\n()]{1,60},[ \t]{0,8}|["'][\w-]{1,20}["'],[ \t]{0,8})?b?["'](?<value>[^"'\n]{12,400})["']/dg,
    accepts: isOpaque,
  },
  {
    name: 'key in a URL',
    near: ['code=', 'session', 'sid=', 'hmac=', 'ticket=', 'assertion=', 'samlresponse='],
    pattern:
      /[?&](?:code|session_?id|sid|hmac|ticket|assertion|SAMLResponse)=(?<value>[\w.~%+/=-]{20,4000})/dgi,
    accepts: isOpaque,
  },
  {
    name: 'vault',
    near: ['$ansible_vault'],
    pattern:
      /\$ANSIBLE_VAULT;[\d.]{1,5};AES256[^\n]{0,60}\r?\n(?<value>(?:[ \t]{0,40}[0-9a-f]{2,200}\r?\n?){1,400})/dg,
  },
  {
    name: 'key',
    near: ['recovery', 'unseal'],
    pattern:
      /(?:recovery|unseal) (?:key|code)s?(?: \d{1,2})?["'`]{0,2}[ \t]{0,3}[:=][ \t]{0,3}(?<value>[\w+/=-]{16,200})/dgi,
    accepts: (value) => /\d/.test(value),
  },
  { name: 'seed phrase', near: ['phrase', 'words', 'seed', 'mnemonic'], pattern: PHRASE, accepts: isPhrase },
  {
    name: 'cookie',
    near: ['\ttrue\t', '\tfalse\t'],
    pattern:
      /\t(?:TRUE|FALSE)\t\S{1,100}\t(?:TRUE|FALSE)\t\d{1,12}\t\S{1,100}\t(?<value>[^\s"'`<]{8,4000})/dg,
  },
  {
    name: 'password in an instruction',
    near: ['requirepass', 'masterauth', 'auth '],
    pattern: /\b(?:requirepass|masterauth|AUTH)[ \t](?:\w{1,30}[ \t])?["']?(?<value>[^\s"']{6,200})/dg,
    accepts: isNumbered,
  },
  {
    name: 'password',
    near: ['send '],
    pattern: /\bsend(?:[ \t]{1,4}--)?[ \t]{1,4}["'](?<value>[^"'\n]{4,100}?)(?:\\r|\r|\\n)["']/dg,
    accepts: isNumbered,
  },
  // What was typed at a prompt, and what Google makes for applications.
  {
    name: 'password',
    near: ['password '],
    pattern:
      /password[ ][^\n:]{1,60}:[ \t]{0,3}(?:\r?\n){1,2}[ \t]{0,40}(?<value>\S{4,100})[ \t]{0,4}(?=\r?\n|$)/dgi,
    accepts: isNumbered,
  },
  {
    name: 'password',
    near: ['pass'],
    pattern:
      /pass\w{0,12}["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?<value>[a-z]{4}(?: [a-z]{4}){3})(?=["'\s]|$)/dgi,
    accepts: isPhrase,
  },
  // A field of a form, and what commands store under any name.
  {
    name: 'password',
    near: ['type="password"', "type='password'"],
    pattern:
      /<input(?=[^<>]{0,200}type=["']password)[^<>]{0,200}?[ \t\n]value=["'](?<value>[^"'\n]{3,200})["']/dgi,
    accepts: isNumbered,
  },
  {
    name: 'password',
    near: ['from-literal', 'secrets set ', 'secret set '],
    pattern: /(?:--from-literal[= ]|secrets? set )["']?[\w.-]{1,60}=["']?(?<value>[^\s"']{4,400})/dg,
    accepts: isNumbered,
  },
  // Network devices.
  {
    name: 'key',
    near: ['isakmp key', '-server key', 'key-string'],
    pattern: /(?:isakmp key|(?:tacacs|radius)-server key|key-string)[ \t](?:\d[ \t])?(?<value>\S{4,200})/dgi,
    accepts: isNumbered,
  },
  // What a command prints in the place of a file.
  {
    name: 'password',
    near: ['<(echo', '<(printf', 'echo ', 'printf '],
    pattern:
      /(?:pass|key|secret|token)[\w-]{0,20}[ \t=]{1,4}(?:<\(|["'])(?:echo|printf)[ \t](?:-n[ \t])?["']?(?<value>[^\s"')]{4,400})/dgi,
    accepts: isNoPlaceholder,
  },
  {
    name: 'password of Oracle',
    near: ['jdbc:oracle:'],
    pattern: /jdbc:oracle:\w{2,5}:[\w.-]{1,60}\/(?<value>[^\s"'`]{1,200}?)@/dgi,
    accepts: isNoPlaceholder,
  },
  // What was, and what is.
  {
    name: 'password',
    near: [']{+'],
    pattern:
      /(?:\[-|\]\{\+)(?<=(?:pass\w{0,8}|secret|token|key)["']?[ \t]{0,3}[:=][ \t]{0,3}["']?(?:\[-[^\n\]]{1,200}-\]\{\+|\[-))(?<value>[^\n]{4,200}?)(?=-\]|\+\})/dgi,
    accepts: isNoPlaceholder,
  },
  {
    name: 'password',
    near: ['changed from '],
    pattern:
      /(?:from|to)[ \t](?<=pass\w{0,8}[ \t](?:was[ \t])?changed[ \t](?:from[ \t]\S{1,200}[ \t])?(?:from|to)[ \t])["'`]?(?<value>[^\s"'`]{4,200})/dgi,
    accepts: isNumbered,
  },
  // Listings of keys in numbers.
  {
    name: 'private key',
    near: ['privateexponent:', 'prime1:', 'prime2:', 'priv:'],
    pattern:
      /(?:privateExponent|prime[12]|exponent[12]|coefficient|priv):[ \t]{0,4}\r?\n(?<value>(?:[ \t]{0,12}(?:[0-9a-f]{2}:?){2,40}[ \t]{0,4}\r?\n?){1,200})/dgi,
  },
  {
    name: 'private key',
    near: [') 0x'],
    pattern: /^[ \t]{0,8}\(\d{1,3}\)[ \t]{1,4}(?<value>0x[0-9a-f]{64})$/dgim,
  },
  {
    name: 'credentials of AWS',
    near: ['credentials\t'],
    pattern: /\t(?<=CREDENTIALS\t[^\n]{0,120})(?<value>[A-Za-z0-9+/]{40,2000}={0,2})/dg,
  },
  {
    name: 'key of a network',
    near: ['key content'],
    pattern: /Key Content[ \t]{1,20}:[ \t](?<value>\S{4,100})/dg,
  },
  {
    name: 'password',
    near: ['chpasswd'],
    pattern: /^[ \t]{2,20}(?:- )?[\w-]{1,32}:(?<value>[^\s:]{4,100})$/dgm,
    accepts: isNumbered,
  },
  {
    name: 'webhook',
    near: ['webhook'],
    pattern:
      /webhook[\w-]{0,10}["']?[ \t]{0,3}[:=][ \t]{0,3}["']?https?:\/\/[^\s"']{1,200}\/(?<value>[\w-]{24,200})/dgi,
    accepts: isOpaque,
  },
  { name: 'wifi password', near: ['wifi:'], pattern: /\bWIFI:[^\n]{0,80}?;P:(?<value>[^;\n]{4,80});/dg },
];

/** What stands in every text that {@link placedSecrets} finds something in. */
export const NEAR_WORDS: WordTable = { words: PLACES.flatMap(({ near }) => near), ignoresCase: true };

/** Characters of a value that was refused in which another name is looked for. */
const LONGEST_AGAIN = 200;

function placed(text: string, { name, pattern, accepts }: Place): SecretSpan[] {
  const spans: SecretSpan[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [start, end] = match.indices?.groups?.value ?? [0, 0];
    if (!accepts || accepts(text.slice(start, end))) spans.push({ start, end, name });
    // What is no secret may itself tell of one, `identified by identified by …`; a long text is not gone over again.
    else if (end - start <= LONGEST_AGAIN) pattern.lastIndex = Math.max(start, match.index + 1);
  }
  return spans;
}
