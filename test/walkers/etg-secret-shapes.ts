/*
 * Secrets of every shape, none of them real. They are put together here from parts, so that no scanner of
 * repositories takes them for leaks.
 */

/** A text with a secret in it, and the part of it that must not be stored. */
export interface SecretCase {
  readonly name: string;
  readonly text: string;
  readonly secret: string;
}

let seed = 7;

/** Characters that look random and are the same in every run. */
function noise(
  length: number,
  alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789',
): string {
  let text = '';
  for (let i = 0; i < length; i++) {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    text += alphabet[(seed >>> 8) % alphabet.length];
  }
  return text;
}

const HEX = '0123456789abcdef';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const DIGITS = '123456789';
const BASE64 = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/';

/** A secret by itself, in a sentence. */
function token(name: string, ...parts: string[]): SecretCase {
  const secret = parts.join('');
  return { name, text: `found ${secret} in the output`, secret };
}

/** A secret in a text around it; `§` stands for it. */
function within(name: string, around: string, secret = `${noise(9)}7x`): SecretCase {
  return { name, text: around.replace('§', secret), secret };
}

function armour(kind: string, lineEnd = '\n'): SecretCase {
  const lines = [noise(64, BASE64), noise(64, BASE64), `${noise(40, BASE64)}==`];
  const [dashes, what] = ['-----', `${kind}PRIVATE KEY`];
  const text = [`${dashes}BEGIN ${what}${dashes}`, ...lines, `${dashes}END ${what}${dashes}`].join(lineEnd);
  return {
    name: `${kind}private key${lineEnd === '\n' ? '' : ' in a string'}`,
    text: `"${text}"`,
    secret: lines[1] ?? '',
  };
}

/** At least one text for every shape that is known. */
export const SECRET_CASES: readonly SecretCase[] = [
  token('AWS access key', 'AK', 'IA', noise(16, UPPER)),
  token('AWS temporary key', 'AS', 'IA', noise(16, UPPER)),
  within('AWS secret key', `aws_secret_${'access_key'} = §`, noise(40, BASE64)),
  token('Google API key', 'AI', 'za', noise(35)),
  token('Google access token', 'ya', '29.', noise(60)),
  token('Google client secret', 'GOC', 'SPX-', noise(28)),
  within(
    'Azure storage',
    'DefaultEndpointsProtocol=https;AccountName=me;AccountKey=§;EndpointSuffix=x',
    `${noise(86, BASE64)}==`,
  ),
  token('Azure client secret', noise(3), '8Q', '~', noise(34)),
  within('Azure signature', 'https://me.blob.core.windows.net/c?sv=2021&sig=§&se=1', noise(44)),
  token('GitHub token', 'gh', 'p_', noise(36)),
  token('GitHub server token', 'gh', 's_', noise(36)),
  token('GitHub fine-grained token', 'github', '_pat_', noise(22), '_', noise(59)),
  token('GitLab token', 'gl', 'pat-', noise(20)),
  token('Slack bot token', 'xo', 'xb-', noise(12, DIGITS), '-', noise(24)),
  within(
    'Slack webhook',
    `https://hooks.slack${'.com'}/services/§`,
    `T${noise(8, UPPER)}/B${noise(8, UPPER)}/${noise(24)}`,
  ),
  token('Telegram token', noise(9, DIGITS), ':A', 'A', noise(33)),
  token('Stripe live key', 'sk', '_live_', noise(24)),
  token('Stripe webhook secret', 'wh', 'sec_', noise(32)),
  token('OpenAI key', 'sk', '-proj-', noise(20), 'A1', noise(28)),
  token('Anthropic key', 'sk', '-ant-api03-', noise(80)),
  token('Hugging Face token', 'h', 'f_', noise(34)),
  token('npm token', 'np', 'm_', noise(36)),
  token('PyPI token', 'py', 'pi-', noise(80)),
  token('SendGrid key', 'S', 'G.', noise(22), '.', noise(43)),
  token('Twilio key', 'S', 'K', noise(32, HEX)),
  token('DigitalOcean token', 'dop', '_v1_', noise(64, HEX)),
  token('Vault token', 'hv', 's.', noise(40)),
  token('Docker token', 'dckr', '_pat_', noise(27)),
  token('Shopify token', 'shp', 'at_', noise(32, HEX)),
  token('Linear key', 'lin', '_api_', noise(40)),
  token('age key', 'AGE-SECRET', '-KEY-1', noise(58, UPPER)),
  token('JSON web token', 'ey', 'J', noise(30), '.ey', 'J', noise(60), '.', noise(43)),
  token('password hash', '$2', 'b$12$', noise(53)),
  armour('RSA '),
  armour('OPENSSH '),
  armour('EC ', '\\n'),
  armour(''),
  within('PostgreSQL URL', 'postgres://me:§@db.example.com:5432/app'),
  within('MongoDB URL', 'mongodb+srv://me:§@cluster0.example.net/?retryWrites=true'),
  within('Redis URL without a user', 'redis://:§@localhost:6379'),
  within('basic authentication in a URL', 'git clone https://me:§@example.com/x.git'),
  within('Authorization: Bearer', '> Authorization: Bearer §', noise(40)),
  within('Authorization: Basic', "curl -H 'authorization: Basic §'", `${noise(22, BASE64)}==`),
  within('Authorization in JSON', '{"headers":{"Authorization":"token §"}}', noise(40, HEX)),
  within('cookie', 'Cookie: session=§; theme=dark', noise(32)),
  within('Set-Cookie', 'set-cookie: sid=§; Path=/; HttpOnly', noise(32)),
  within('API key header', 'X-Api-Key: §', noise(32)),
  within('environment file', 'PORT=3000\nDB_PASSWORD=§\nDEBUG=1'),
  within('exported variable', 'export GITHUB_TOKEN=§', noise(30)),
  within('Windows variable', 'set API_KEY=§', noise(30)),
  within('JSON', '{"user":"me","password":"§"}'),
  within('JSON in a string', '"{\\"user\\":\\"me\\",\\"password\\":\\"§\\"}"'),
  within('YAML', 'database:\n  user: me\n  password: §\n  port: 5432'),
  within('TOML', 'password = "§"'),
  within('code', "const client = connect({ user: 'me', secret: '§' });"),
  within('Python', 'client = Client(api_key="§")', noise(24)),
  within('Ruby', ":password => '§'"),
  within('INI in a string', 'Server=db;User Id=me;Password=§;Timeout=5'),
  within('flag', 'deploy --user me --password § --now'),
  within('flag with a sign', 'deploy --api-key=§', noise(24)),
  within('query of a URL', 'GET /login?user=me&access_token=§&x=1', noise(24)),
  within('curl', 'curl -s -u me:§ https://example.com'),
  within('mysql', 'mysqldump -h db -u root -p§ app'),
  within('SQL', "CREATE USER me IDENTIFIED BY '§'"),
  within('npmrc', '//registry.npmjs.org/:_authToken=§', noise(36)),
  within('netrc', 'machine example.com login me password §'),
  within('sentence of a password in quotes', '"db_password": "§ with spaces 9!"'),
];

/** Ordinary code and output: every one must stay as it is. */
export const ORDINARY_TEXTS: readonly string[] = [
  'token = next(tokens)',
  'const token = this.tokens[this.at];',
  'password: string',
  'password: str = None,',
  'function login(user: string, password: string): Promise<Token> {',
  'if (token.type === "identifier") return token;',
  'token: Token;',
  '{"type":"token","value":"const"}',
  'max_tokens: 2000',
  '"max_tokens": 100000,',
  'token_count=1234',
  'const secret = process.env.SECRET;',
  "password = os.environ['DB_PASSWORD']",
  'PASSWORD=$PASSWORD docker compose up',
  'PASSWORD=$' + '{DB_PASSWORD}',
  'password: $' + '{{ secrets.NPM_TOKEN }}',
  'password=password, timeout=3)',
  '--password <password>   the password',
  '--token string   Token of the registry',
  'error TS2345: Argument of type "password" is not assignable to parameter of type "token"',
  'Expected token ; but found }',
  'SyntaxError: Unexpected token < in JSON at position 0',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'commit 8600340dba6b4d4a8f8d6c3a5a7f2c1e9b0d3f41',
  '123e4567-e89b-12d3-a456-426614174000',
  'integrity sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==',
  'http://localhost:4873/@scope/name',
  'https://github.com/owner/name/blob/main/src/auth.ts#L10',
  'file:///home/me/project/src/a.ts:12:3',
  "import { cookie } from './cookie.js';",
  'cookie: Cookie | undefined;',
  'const authorization = request.headers.authorization;',
  'authorization: string;',
  "it('refuses a wrong password', async () => {",
  'self.token = token',
  'this.secret = secret;',
  'return jwt.sign(payload, secret, { expiresIn: "1h" });',
  "if (text.startsWith('-----BEGIN RSA PRIVATE KEY-----')) return 'pem';",
  'task-list sk-fading-circle-animation-wide',
  'key: value',
  'primary key (id)',
  'for key, value in items.items():',
  'keys = sorted(d.keys())',
  'tokens: 1,204 in, 88 out',
  'at Object.login (/home/me/src/auth.ts:12:15)',
  'expect(secretName("max_tokens")).toBeNull();',
  'PASS test/auth.test.ts > rejects an expired token (12 ms)',
  'passwordless login',
  'AUTH_TOKEN=',
  'password: null',
  '"password": ""',
  "password: '***'",
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk',
];
