import { nameStrength } from './secret-names.js';
import { NextPlaces, type SecretSpan } from './span.js';
import { looks } from './value-look.js';

/** Credentials that the place in which they stand gives away: URLs, headers, statements, documents of a kind, columns. */
export function placedSecrets(text: string): SecretSpan[] {
  return [
    ...urlSecrets(text),
    ...PLACES.flatMap((place) => placed(text, place)),
    ...documentSecrets(text),
    ...columnSecrets(text),
  ];
}

interface Place {
  readonly name: string;
  /** Looked for as it is, in lower case or not. */
  readonly pattern: RegExp;
  /** Whether a match is a secret. */
  readonly accepts?: (value: string) => boolean;
}

const noPlaceholder = (value: string) => looks(value, 'word');
const isOpaque = (value: string) => looks(value, 'opaque');

const isOpaqueOrMixed = (value: string) => looks(value, 'mixed');
/** Words of a wallet, also numbered or quoted one by one. */
const PHRASE =
  /\b(?:mnemonic|(?:seed|recovery|secret|backup|wallet)[ _-]?(?:phrase|words|seed))["'`*_]{0,3}(?:[ \t]\([^)\n]{0,30}\))?[ \t]{0,8}(?:is|=>|[:=])?[ \t\n"'`*[]{0,12}(?<value>(?:1[.)] ?)?[a-z]{3,8}(?:["',]{0,3}[ \t\n]{1,4}["']?(?:\d{1,2}[.)] ?)?[a-z]{3,8}){4,24})/dgi;
const isPhrase = (value: string) =>
  !/\b(?:the|and|you|your|that|this|with|from|for|are|can|will|not|have|has|when|they|must|which|was|used|into)\b/.test(
    value,
  );
/** Every repetition is bounded, and each pattern begins with a word. */
const PLACES: readonly Place[] = [
  {
    name: 'authorization',
    pattern:
      /authorization["'`\\]{0,4}[ \t]{0,5}[:=,][ \t]{0,5}["'`\\]{0,4}(?:bearer|basic|token|digest|negotiate|apikey|api-key|key|aws4-hmac-sha256|hmac|bot|sso-key|splunk|oauth|ntlm|pat)[ \t]{1,5}(?<value>[^\s"'\\`<>]{4,8000}(?:,[ \t]?\w{1,20}=["']?[^\s"'\\]{1,1000}["']?){0,20})/dgi,
    accepts: (value) => looks(value, 'mixed'),
  },
  // No scheme: an opaque value, so that no type or word is one.
  {
    name: 'authorization',
    pattern: /authorization["'`\\]{0,4}[ \t]{0,5}[:=][ \t]{0,5}["'`\\]{0,4}(?<value>[\w.~+/=:-]{12,4000})/dgi,
    accepts: isOpaque,
  },
  { name: 'digest', pattern: /\bresponse="(?<value>[0-9a-f]{32,64})"/dg },
  {
    name: 'bearer token',
    pattern: /\bbearer["'`]{0,2}[ \t:=]{1,5}["'`]?(?<value>[\w.~+/=-]{12,8000})/dgi,
    accepts: isOpaque,
  },
  {
    name: 'cookie',
    pattern:
      /\bcookie2?["'`\\]{0,4}[ \t]{0,5}[:=][ \t]{0,5}["'`\\]{0,4}[\w.$%!-]{1,100}=(?<value>[^\s"'\\;][^\n\r"'\\]{2,8000})/dgi,
    accepts: (value) => value.split(/[;=\s]/, 40).some((part) => part.length >= 8 && isOpaque(part)),
  },
  {
    name: 'password in SQL',
    pattern:
      /\b(?:identified[ \t]{1,5}(?:with[ \t]{1,5}\S{1,40}[ \t]{1,5})?(?:by|as)(?:[ \t]{1,5}(?:values|password))?|(?:encrypted|with|login|superuser|createdb|user|role)[ \t]{1,5}password|set[ \t]{1,5}password[^\n=]{0,60}=)[ \t]{0,5}(?:=[ \t]{0,3}|password\()?[ \t]{0,3}["'`](?<value>[^"'`\n]{1,200})["'`]/dgi,
    accepts: noPlaceholder,
  },
  {
    name: 'password in SQL',
    pattern: /\bidentified[ \t]{1,5}by[ \t]{1,5}(?<value>[^\s"'`;,()]{3,200})/dgi,
    accepts: (value) => looks(value, 'mixed'),
  },
  // A data source of Go, `user:password@tcp(host)`.
  {
    name: 'password in a DSN',
    pattern: /@(?:tcp|unix|udp)?\((?<=[\w.-]{1,40}:(?<value>[^\s:@"'`(]{3,100})@\w{0,4}\()/dg,
    accepts: noPlaceholder,
  },
  // .pgpass: host:port:database:user:password
  {
    name: 'password of pgpass',
    pattern:
      /:(?:\d{2,5}|\*):(?<=(?:^|[\s"'`])[\w.*-]{1,80}:[\d*]{1,5}:)[\w.*-]{1,60}:[\w.*-]{1,60}:(?<value>[^\s:"'`]{4,100})(?=$|[\s"'`])/dg,
    accepts: noPlaceholder,
  },
  {
    name: 'key of a JWK',
    pattern: /"(?:d|p|q|dp|dq|qi|k)"[ \t]{0,8}:[ \t]{0,8}"(?<value>[\w-]{20,4000})"/dg,
  },
  // The last literal of a call that takes a name and a password.
  {
    name: 'password',
    pattern:
      /\b(?:\w{0,30}Credentials?(?:Provider)?(?:\.create)?|HTTP(?:Basic|Digest)Auth|set_?basic_?auth|basic_?auth|changeUserPassword|updateUser|createUser|sp_addlogin|AmazonS3Client|algoliasearch|twilio|auth|login|log_in|sign_?in|authenticate|connect|Client)(?:\(|[ \t])[ \t\n]{0,20}(?:["'][^"'\n]{1,100}["']|[A-Za-z_.]{1,40}),[ \t\n]{0,20}["'](?<value>[^"'\n]{6,200})["'](?=[ \t\n]{0,20}[,)]|$|\n)/dgi,
    accepts: (value) => !/\s/.test(value) && looks(value, 'mixed'),
  },
  {
    name: 'password',
    pattern:
      /\b(?:ConvertTo-SecureString(?: -String)?|SecretStr|SecureString|Fernet|Wallet|PASSWORD|from_private_key|privateKeyToAccount)[( ][ \t]{0,4}b?["'](?<value>[^"'\n]{6,200})["']/dg,
    accepts: (value) => looks(value, 'numbered'),
  },
  {
    name: 'private key',
    pattern:
      /["'`](?<value>0x[0-9a-fA-F]{64})["'`](?<=(?:accounts|keys?|wallet|signer)\W{0,12}["'`]0x[0-9a-fA-F]{64}["'`])/dgi,
  },
  // Other languages.
  {
    name: 'password',
    pattern:
      /(?:contrase[nñ]a|mot de passe|senha|пароль|密码|密碼|パスワード|비밀번호|passwort|kennwort|parola|wachtwoord|has[lł]o|psw)["'`*]{0,3}[ \t]{0,3}[:=：][ \t]{0,3}["'`*]{0,3}(?<value>[^\s"'`]{4,200})/dgi,
    accepts: (value) => looks(value, 'numbered'),
  },
  // `user:password` behind a word that announces both.
  {
    name: 'password',
    pattern:
      /\b(?:credentials?|creds|login|basic auth|proxy(?:-user)?|user(?::pass)?|authident)["'`]{0,2}[ \t]{0,3}[:=]?[ \t]{0,3}["'`]?[\w.@-]{1,60}:(?<value>[^\s:@"'`/]{6,100})(?=[\s"'`@]|$)/dgi,
    accepts: (value) => looks(value, 'mixed'),
  },
  { name: 'seed phrase', pattern: PHRASE, accepts: isPhrase },
  {
    name: 'cookie',
    pattern:
      /^(?:#HttpOnly_)?[\w.-]{1,100}\t(?:TRUE|FALSE)\t\S{1,100}\t(?:TRUE|FALSE)\t\d{1,12}\t\S{1,100}\t(?<value>\S{8,4000})$/dgm,
  },
  {
    name: 'password in an instruction',
    pattern: /\b(?:requirepass|masterauth|AUTH)[ \t](?:\w{1,30}[ \t])?["']?(?<value>[^\s"']{6,200})/dg,
    accepts: isOpaqueOrMixed,
  },
  {
    name: 'password',
    pattern: /\bsend(?:[ \t]+--)?[ \t]+["'](?<value>[^"'\n]{4,100}?)(?:\\r|\r|\\n)["']/dg,
    accepts: isOpaqueOrMixed,
  },
  { name: 'wifi password', pattern: /\bWIFI:[^\n]{0,80}?;P:(?<value>[^;\n]{4,80});/dg },
];

function placed(text: string, { name, pattern, accepts }: Place): SecretSpan[] {
  const spans: SecretSpan[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const [start, end] = match.indices?.groups?.value ?? [0, 0];
    if (accepts && !accepts(text.slice(start, end))) continue;
    spans.push({ start, end, name });
  }
  return spans;
}

/** What may stand in a URL. */
const URL_END = /[\s"'`<>|^]/g;
const HOST = /^(?:[\w.-]{1,255}|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?(?=$|[/?#,;:)\]}\\&*_!]|\.$)/i;

/** `scheme://user:password@host`, also with `@`, `/`, `?` or `#` in the password; and tokens in the user's place. */
function urlSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let [runEnd, lastAt] = [0, -1];
  for (let slashes = text.indexOf('://'); slashes >= 0; slashes = text.indexOf('://', slashes + 3)) {
    const start = slashes + 3;
    if (runEnd <= start) {
      URL_END.lastIndex = start;
      runEnd = URL_END.exec(text)?.index ?? text.length;
      lastAt = start + text.slice(start, runEnd).lastIndexOf('@');
    }
    if (lastAt <= start) continue;
    const span = userInfo(text, start, Math.min(runEnd, start + 1000));
    if (span) spans.push(span);
  }
  return spans;
}

function userInfo(text: string, start: number, end: number): SecretSpan | null {
  const run = text.slice(start, end);
  const next = run.indexOf('://');
  const own = next < 0 ? run : run.slice(0, next);
  const authority = /^[^/?#]*/.exec(own)?.[0] ?? '';
  let at = authority.lastIndexOf('@');
  if (at < 0 || !HOST.test(own.slice(at + 1))) at = laterHost(own, at);
  if (at < 0) return null;
  const info = own.slice(0, at);
  const colon = info.indexOf(':');
  if (colon < 0)
    return info.length >= 16 && looks(info, 'opaque')
      ? { start, end: start + at, name: 'token in a URL' }
      : null;
  const password = info.slice(colon + 1);
  if (password === '' || !looks(password, 'word') || /^[%$]\w*$/.test(password)) return null;
  return { start: start + colon + 1, end: start + at, name: 'password in a URL' };
}

/** An `@` behind a password that has signs of paths and queries in it; not one of a path behind a host. */
function laterHost(own: string, from: number): number {
  const user = /^[^\s:/?#@]{0,100}:/.exec(own)?.[0];
  if (user === undefined || /^\d{1,5}(?:[/?#]|$)/.test(own.slice(user.length))) return -1;
  for (let at = own.lastIndexOf('@'), tries = 0; at > from && at > user.length && tries < 8; tries++) {
    if (HOST.test(own.slice(at + 1))) return at;
    at = own.lastIndexOf('@', at - 1);
  }
  return -1;
}

const SECRET_KIND = /kind["']?:[ \t]{0,4}["']?Secret\b/g;
const DATA = /^[ \t-]{0,20}["']?(?:data|stringData|encryptedData)["']?:/;
const ENTRY = /^([ \t]{0,60})["']?[\w.-]{1,100}["']?:[ \t]{1,4}["']?([^\s"',{}|>]{3,8000})/;
const MOST_DOCUMENT_LINES = 2000;

/** What a Secret of Kubernetes holds under any name. */
function documentSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const places = new NextPlaces(text);
  let done = 0;
  SECRET_KIND.lastIndex = 0;
  for (let found = SECRET_KIND.exec(text); found !== null; found = SECRET_KIND.exec(text)) {
    if (found.index < done) continue;
    const before = text.lastIndexOf('\n---', found.index);
    const end = places.find('\n---', found.index);
    let at = Math.max(done, before + 1, 0);
    let depth = -1;
    for (let line = 0; line < MOST_DOCUMENT_LINES && at < end; line++) {
      const next = Math.min(end, places.find('\n', at));
      const part = text.slice(at, Math.min(next, at + LONGEST_LINE));
      const indent = part.length - part.trimStart().length;
      if (DATA.test(part)) depth = indent;
      else if (indent <= depth && part.trim() !== '') depth = -1;
      const entry = depth >= 0 ? ENTRY.exec(part) : null;
      const value = entry?.[2];
      if (entry && value !== undefined && indent > depth && looks(value, 'word')) {
        const start = at + entry[0].length - value.length;
        spans.push({ start, end: start + value.length, name: 'password' });
      }
      at = next + 1;
    }
    done = at;
  }
  return spans;
}

const LONGEST_LINE = 8000;
const MOST_COLUMNS = 40;
const MOST_ROWS = 500;

/** Values below the name of a secret in CSV, TSV and tables drawn with bars. */
function columnSecrets(text: string): SecretSpan[] {
  const spans: SecretSpan[] = [];
  const hint = /pass|pwd|secret|token|key/gi;
  const places = new NextPlaces(text);
  let done = 0;
  for (let found = hint.exec(text); found !== null; found = hint.exec(text)) {
    const start = text.lastIndexOf('\n', found.index) + 1;
    const end = places.find('\n', found.index);
    hint.lastIndex = end;
    if (start < done || end - start > 600) continue;
    const header = text.slice(start, end);
    const sign = ['|', '\t', ',', ';'].find((one) => header.includes(one));
    if (sign === undefined) continue;
    const names = header.split(sign, MOST_COLUMNS).map(cellText);
    if (names.some((name) => name.length > 40 || /[(){}=<>]/.test(name))) continue;
    const strengths = names.map((name) => (/^[\w .$-]{2,40}$/.test(name) ? nameStrength(name) : null));
    if (strengths.some((one) => one !== null && one !== 'weak'))
      done = readRows(text, end + 1, sign, strengths, spans);
  }
  return spans;
}

/** @returns Where the table ends. */
function readRows(
  text: string,
  from: number,
  sign: string,
  strengths: readonly ReturnType<typeof nameStrength>[],
  spans: SecretSpan[],
): number {
  let at = from;
  for (let row = 0; row < MOST_ROWS && at < text.length; row++) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(at, Math.min(end, at + LONGEST_LINE));
    if (!/^[\s|+:=-]{3,}$/.test(line)) {
      const cells = line.split(sign, MOST_COLUMNS + 1);
      if (cells.length !== strengths.length) break;
      let start = at;
      for (const [column, cell] of cells.entries()) {
        const value = cellText(cell);
        const strength = strengths[column] ?? null;
        const least = strength === 'password' ? 'mixed' : strength === 'key' ? 'opaque' : 'random';
        if (strength && value.length >= 5 && !/\s/.test(value) && looks(value, least)) {
          const inside = start + cell.indexOf(value);
          spans.push({
            start: inside,
            end: inside + value.length,
            name: strength === 'weak' ? 'key' : strength,
          });
        }
        start += cell.length + 1;
      }
    }
    at = end + 1;
  }
  return at;
}

function cellText(cell: string): string {
  return cell.trim().replace(/^["'`*]{1,3}|["'`*]{1,3}$/g, '');
}
