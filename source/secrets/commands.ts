import { append } from '../../schema/index.js';
import type { SecretSpan } from './span.js';
import { looks } from './value-look.js';
import type { WordHit, WordTable } from './word-finder.js';

/** How a command takes a secret. */
interface Command {
  readonly names: readonly string[];
  /** Flags whose secret is the next word, stands behind `=`, or is glued to a flag of one letter. */
  readonly flags?: readonly string[];
  /** Flags that are followed by `user:password`, with the sign between them. */
  readonly pairs?: readonly string[];
  readonly sign?: string;
  /** Numbers of the words, flags left out, that are secrets or pairs; from the end where negative. */
  readonly words?: readonly number[];
  /** Words, parted by blanks, without one of which the command takes none. */
  readonly needs?: string;
}

function command(names: string, more: Omit<Command, 'names'>): Command {
  return { names: names.split(' '), ...more };
}

/** From the manuals of the commands. */
const COMMANDS: readonly Command[] = [
  command('curl', {
    pairs: ['-u', '--user', '-U', '--proxy-user'],
    flags: ['--oauth2-bearer', '--pass', '--proxy-pass', '--tlspassword'],
  }),
  command('http https xh xhs httpie', { pairs: ['-a', '--auth'], flags: ['-a'] }),
  command('curl', { pairs: ['-b', '--cookie'], sign: '=' }),
  command('wget aria2c', { flags: ['--http-passwd', '--ftp-passwd', '--http-password', '--ftp-password'] }),
  command('mysql mysqldump mysqladmin mysqlimport mysqlshow mysqlcheck mariadb mariadb-dump mycli mysqlsh', {
    flags: ['-p!'],
  }),
  command('mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop', {
    flags: ['-p'],
  }),
  command('redis-cli', { flags: ['-a', '--pass'] }),
  command('sshpass', { flags: ['-p'] }),
  command('docker podman buildah nerdctl helm oras crane skopeo az oc kubectl cf', {
    flags: ['-p'],
    needs: 'login',
  }),
  command('skopeo buildah podman', { pairs: ['--creds', '--src-creds', '--dest-creds'] }),
  command('ldapsearch ldapmodify ldapadd ldappasswd ldapwhoami ldapdelete ldapcompare', {
    flags: ['-w', '-s', '-a'],
  }),
  command('smbclient rpcclient smbget smbmap net winexe wmic pth-winexe nmblookup', {
    pairs: ['-U', '--user'],
    sign: '%',
  }),
  command('smbmap evil-winrm crackmapexec nxc netexec hydra medusa', { flags: ['-p'] }),
  command('sqlplus sqlldr rman exp imp expdp impdp sql', { pairs: [''], sign: '/' }),
  command('sqlcmd osql isql bcp tsql', { flags: ['-P'] }),
  command('snmpget snmpwalk snmpset snmpbulkwalk', { flags: ['-A', '-X', '-c'] }),
  command('openssl', {
    pairs: ['-passin', '-passout', '-pass', '-password'],
    sign: ':',
    flags: ['-k', '-K'],
  }),
  command('zip unzip zipcloak', { flags: ['-P', '-rP'] }),
  command('7z 7za 7zr rar unrar', { flags: ['-p!', '-hp!'] }),
  command('keytool jarsigner', {
    flags: ['-storepass', '-keypass', '-srcstorepass', '-deststorepass', '-srckeypass', '-destkeypass'],
  }),
  command('ssh-keygen', { flags: ['-N', '-P'] }),
  command('gh glab', { flags: ['-b', '--body'], needs: 'secret' }),
  command('mosquitto_pub mosquitto_sub', { flags: ['-P'] }),
  command(
    'rabbitmqadmin influx cqlsh clickhouse-client vncviewer rdesktop cadaver ncftp neo4j-admin cypher-shell',
    { flags: ['-p', '-password'] },
  ),
  command('rabbitmqctl', { words: [2], needs: 'add_user change_password' }),
  command('wpa_passphrase', { words: [1] }),
  command('htpasswd', { words: [-1], needs: '-b -bc -nb' }),
  command('plink pscp psftp putty pageant', { flags: ['-pw'] }),
  command('lftp open', { pairs: ['-u'], sign: ',' }),
  command('ftp sftp', { pairs: ['-u'] }),
  command('useradd usermod', { flags: ['-p'] }),
  command('aws', { words: [-1], needs: 'aws_secret_access_key aws_session_token' }),
  command('npm yarn pnpm pip composer poetry bundle git gcloud', { words: [-1], needs: 'config' }),
  command('cmdkey', { pairs: ['/pass'], sign: ':' }),
  command('psexec winrs', { flags: ['-p', '/p'] }),
  command('xfreerdp wfreerdp mstsc', { pairs: ['/p'], sign: ':' }),
  command('doctl', { flags: ['-t', '--access-token'] }),
  command('vault wandb cargo gem bw op', { words: [-1], needs: 'login unlock' }),
  command('consul vault etcdctl', { words: [-1], needs: 'put' }),
  command('etcdctl', { pairs: ['--user'] }),
  command('aws az', { flags: ['--value', '--secret-string', '-p'] }),
  command('mc pulumi', { words: [-1], needs: 'set' }),
  command('rclone', { words: [-1], needs: 'pass obscure' }),
  command('security', { flags: ['-w', '-p', '-P'] }),
  command('xcrun twine ipmitool nuget dotnet ncftpput ncftpget', { flags: ['-p', '-P'] }),
  command('signtool certutil schtasks', { flags: ['/p', '-p', '/rp', '/f!'] }),
  command('nmcli', { words: [-1], needs: 'password' }),
  command('drush', { words: [-1], needs: 'user:password' }),
  command('rootpw runas', { words: [-1] }),
  command('nickserv', { words: [-1], needs: 'identify' }),
  command('codecov', { flags: ['-t'] }),
  command('enable', { words: [-1], needs: 'secret password' }),
];

/** What takes a secret from the standard input. */
const TAKES_INPUT =
  /\|[ \t]{0,4}(?:sudo[ \t]{1,4}(?:-\S{1,20}[ \t]{1,4}){0,4}(?:-\w{0,4}S|--stdin)|[^\n|]{0,200}(?:--(?:password|token|passphrase)-stdin|--with-token|--passphrase-fd[= ]0|\bpasswd\b|\bchpasswd|\bsmbpasswd\b|\bkinit\b|cryptsetup\b|gh secret set|docker secret create|podman secret create|secrets? (?:set|create|versions add|put)|wrangler secret|pass insert|-pass(?:in)? stdin|htpasswd -\w{0,4}i|vault (?:login|kv put|write)))/y;

const BY_NAME = new Map<string, Command[]>();
for (const one of COMMANDS) for (const name of one.names) append(BY_NAME, name, one);

/** Beside those of the table: what passes on what it prints, and what starts others. */
const OTHER_NAMES = ['echo', 'printf', 'net use', 'net user', 'sudo', 'gpg', 'zfs', 'read'];
/** What {@link commandSecrets} looks behind. */
export const COMMAND_NAMES: WordTable = { words: [...BY_NAME.keys(), ...OTHER_NAMES] };
/** What stands behind the name of a command, in a line and in a list of arguments. */
const NAME_END = /(?:\.exe)?(?=[ \t]|["'],)/y;
/** A word of a shell: quoted, or up to a blank. */
const WORD =
  /[ \t]{1,40}(?:\\\r?\n[ \t]{0,40})?((?:"(?:[^"\\\n]|\\.){0,2000}"|'[^'\n]{0,2000}'|[^\s"';|&<>()]){1,400})|[ \t]{1,40}\\\r?\n[ \t]{0,40}/y;
/** A word of a list of arguments: `["curl", "-u", …]`. */
const LISTED_WORD = /["']?,[ \t\n]{0,20}("(?:[^"\\\n]|\\.){0,2000}"|'[^'\n]{0,2000}')(?=[ \t\n]{0,20}[,\]])/y;
const MOST_WORDS = 80;
/** Most words of a command line that may be names of commands. */
const MOST_NESTED = 8;

interface Word {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Secrets in command lines, where the flag alone would not tell.
 *
 * @param names Where {@link COMMAND_NAMES} stand.
 */
export function commandSecrets(text: string, names: readonly WordHit[]): SecretSpan[] {
  const spans: SecretSpan[] = [];
  let [done, nestedDone] = [0, 0];
  /** Words that may be command lines: `sh -c '…'`. */
  let nested: readonly Word[] = [];
  for (const { word: name, at } of names) {
    const isNested =
      at < done && at >= nestedDone && nested.some(({ start, end }) => start <= at && at < end);
    NAME_END.lastIndex = at + name.length;
    if ((at < done && !isNested) || !NAME_END.test(text) || /[\w.@-]/.test(text[at - 1] ?? ' ')) continue;
    const { words, end } = wordsAt(text, NAME_END.lastIndex);
    const own = [name, ...words.map(({ text: word }) => word.replace(/^.*\/|\.exe$/g, ''))]
      .slice(0, MOST_NESTED)
      .flatMap((one, i) => secretsOfName(text, one, words.slice(i), end));
    for (const { start, end: to, text: value } of own)
      if (value !== '' && looks(value, 'word')) spans.push({ start, end: to, name: 'password' });
    spans.push(...hereString(text, words, end));
    nestedDone = isNested ? end : 0;
    if (isNested) continue;
    done = end;
    nested = words.filter((word) => /\s/.test(word.text));
  }
  return spans;
}

/** What a command, or one that it starts (`sudo curl …`), takes of the words behind its name. */
function secretsOfName(text: string, name: string, words: readonly Word[], end: number): Word[] {
  if (name === 'echo' || name === 'printf') return inputOf(text, words, end);
  if (name === 'net use' || name === 'net user') return words.slice(1, 5).filter(isPlainWord).slice(-1);
  return (BY_NAME.get(name) ?? []).flatMap((one) => secretsOf(one, words));
}

/** No flag, no path and no drive. */
function isPlainWord({ text }: Word): boolean {
  return !/^[\\/*-]|:$/.test(text);
}

function wordsAt(text: string, from: number): { words: Word[]; end: number } {
  const words: Word[] = [];
  let end = from;
  const pattern = /["']/.test(text[from] ?? '') ? LISTED_WORD : WORD;
  pattern.lastIndex = from;
  while (words.length < MOST_WORDS) {
    const match = pattern.exec(text);
    if (match === null) break;
    end = pattern.lastIndex;
    const whole = match[1];
    if (whole === undefined) continue;
    const quoted = /^["']/.test(whole) && whole.length > 1 ? 1 : 0;
    words.push({
      text: whole.slice(quoted, whole.length - quoted),
      start: end - whole.length + quoted,
      end: end - quoted,
    });
  }
  return { words, end };
}

function secretsOf(
  { flags = [], pairs = [], sign = ':', words: places = [], needs }: Command,
  words: readonly Word[],
): Word[] {
  const needed = needs?.split(' ');
  if (needed && !words.some(({ text }) => needed.includes(text))) return [];
  const found: Word[] = [];
  for (const [i, word] of words.entries()) {
    const next = words[i + 1];
    for (const flag of flags) {
      const isGluedOnly = flag.endsWith('!');
      const name = isGluedOnly ? flag.slice(0, -1) : flag;
      if (!isGluedOnly && word.text === name && next) found.push(next);
      else if (word.text.startsWith(`${name}=`)) found.push(from(word, name.length + 1));
      else if (
        /^-[A-Za-z]{1,2}$/.test(name) &&
        word.text.startsWith(name) &&
        word.text.length > name.length + 2
      )
        found.push(from(word, name.length));
    }
    for (const flag of pairs) {
      if (flag === '') found.push(...pairOf(word, sign));
      else if (word.text === flag && next) found.push(...pairOf(next, sign));
      else if (word.text.startsWith(flag) && word.text.length > flag.length)
        found.push(
          ...pairOf(
            from(
              word,
              flag.length +
                (/^[=:]/.test(word.text.slice(flag.length)) && sign !== word.text[flag.length] ? 1 : 0),
            ),
            sign,
          ),
        );
    }
  }
  const plain = words.filter(({ text }) => !text.startsWith('-'));
  for (const place of places) {
    const word = plain.at(place);
    if (word && (place >= 0 || looks(word.text, 'numbered'))) found.push(word);
  }
  return found.filter(({ text }) => !/^-{1,2}[A-Za-z]/.test(text));
}

function from({ text, start, end }: Word, length: number): Word {
  const quoted = /^["'].*["']$/.test(text.slice(length)) ? 1 : 0;
  return {
    text: text.slice(length + quoted, text.length - quoted),
    start: start + length + quoted,
    end: end - quoted,
  };
}

function pairOf(word: Word, sign: string): Word[] {
  const at = word.text.indexOf(sign);
  if (at < 0 || at === word.text.length - 1) return [];
  const rest = word.text.slice(at + 1);
  if (sign !== '/') return [from(word, at + 1)];
  // `scott/tiger@host`, `scott/"tiger"@//host`, and no path.
  const quoted = rest.startsWith('"') ? 1 : 0;
  const length = (/@(?=[^@]*$)/.exec(rest)?.index ?? rest.length) - 2 * quoted;
  const password = rest.slice(quoted, quoted + length);
  const isPath = /^[./@~]|^$/.test(word.text.slice(0, at + 1)) || /\/|\.\w{2,4}$/.test(password);
  const start = word.start + at + 1 + quoted;
  return isPath && quoted === 0 ? [] : [{ text: password, start, end: start + length }];
}

/** What `echo` and `printf` pass on to a command that takes a secret. */
function inputOf(text: string, words: readonly Word[], end: number): Word[] {
  const pipe = /[ \t]{0,8}/y;
  pipe.lastIndex = end;
  pipe.test(text);
  TAKES_INPUT.lastIndex = pipe.lastIndex;
  if (!TAKES_INPUT.test(text)) return [];
  return words
    .filter(({ text: word }) => !/^-\w{1,2}$|^%s(?:\\n)?$/.test(word))
    .map((word) => {
      const colon = /\bchpasswd\b/.test(text.slice(end, end + 80)) ? word.text.indexOf(':') + 1 : 0;
      return colon > 0 ? from(word, colon) : word;
    });
}

/** `docker login --password-stdin <<< "…"`. */
function hereString(text: string, words: readonly Word[], end: number): SecretSpan[] {
  if (
    !words.some(({ text: word }) =>
      /^--(?:password|token|passphrase)-stdin$|^--with-token$|^-\w{0,4}S$|^--passphrase-fd$|^load-key$|^-s$/.test(
        word,
      ),
    )
  )
    return [];
  const here = /[ \t]{0,8}(?:<<<[ \t]{0,4}["']?|<<-?["']?\w{1,20}["']?\r?\n[ \t]{0,20})([^\s"']{3,400})/y;
  here.lastIndex = end;
  const value = here.exec(text)?.[1];
  if (value === undefined || !looks(value, 'word')) return [];
  const at = text.indexOf(value, end);
  return [{ start: at, end: at + value.length, name: 'password' }];
}
