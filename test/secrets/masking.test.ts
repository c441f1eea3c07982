import { expect, test } from 'vitest';
import { printedEnds } from '../../failures/index.js';
import { masked, secretName, storedParams, storedText, withoutSecrets } from '../../source/index.js';
import { FORMS, formed, randomOf, SHAPES, survivors } from './shapes.mjs';

/** Share of the secrets that only their names tell which may be missed. */
const MOST_BESIDE = 0.02;
const random = randomOf(7);
const counted = SHAPES.filter(({ kind }) => kind !== 'hard');
const forms = Object.keys(FORMS).filter((form) => !form.startsWith('cut'));

/** What survives of shapes, each in every fourth form. */
function surviving(bare: boolean): { readonly survived: string[]; readonly tried: number } {
  const survived: string[] = [];
  let tried = 0;
  for (const [at, shape] of counted.filter((one) => one.bare === bare).entries())
    for (const [nth, form] of forms.entries()) {
      const made = (at + nth) % 4 === 0 ? formed(shape, form, random) : null;
      if (made === null) continue;
      tried++;
      if (survivors(masked(made.text), made.cores).length > 0) survived.push(`${shape.name} (${form})`);
    }
  return { survived, tried };
}

test('no secret that needs no context survives, in whatever form it comes', () => {
  const { survived, tried } = surviving(true);
  expect(tried).toBeGreaterThan(2000);
  expect(survived).toEqual([]);
});

test('nearly no secret survives that only what stands beside it tells', () => {
  const { survived, tried } = surviving(false);
  expect(tried).toBeGreaterThan(10_000);
  expect(survived.length > MOST_BESIDE * tried ? survived : []).toEqual([]);
});

test('what was masked once stays as it is', () => {
  const changed = counted
    .map((shape) => masked(shape.make(random).text))
    .filter((text) => masked(text) !== text);
  expect(changed).toEqual([]);
});

/** Ordinary code and output: every one must stay as it is. */
const ORDINARY_TEXTS: readonly string[] = [
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

test.each(ORDINARY_TEXTS)('%j stays as it is', (text) => {
  expect(masked(text)).toBe(text);
});

test.each([
  ['DB_PASSWORD', 'password'],
  ['apiKey', 'key'],
  ['x-auth-token', 'key'],
  ['AWS_SECRET_ACCESS_KEY', 'key'],
  ['max_tokens', null],
  ['tokenCount', null],
  ['passwordField', null],
  ['primary_key', null],
])('the name %s is that of a %s', (name, strength) => {
  expect(secretName(name)).toBe(strength);
});

test('ten million characters are looked at where they are kept, and a secret that the cut goes through is masked', () => {
  const secret = SHAPES.find(({ name }) => name.startsWith('ghp_'))?.make(random).text ?? '';
  const filler = (length: number) => 'password = a.b "x '.repeat(length / 18 + 1).slice(0, length);
  for (let shift = 0; shift <= 40; shift += 8) {
    const text =
      filler(16_000 - shift - 1) +
      ` ${secret} ` +
      filler(10_000_000) +
      ` ${secret} ` +
      filler(16_000 - shift - 1);
    const { text: kept, truncated } = storedText(text, 32_000);
    expect(kept).not.toContain(secret.slice(0, 12));
    expect(kept).not.toContain(secret.slice(-12));
    expect(truncated).toBeGreaterThan(9_000_000);
  }
});

test('of parameters what stands under the name of a secret is masked, and what another says is one', () => {
  const secret = ['Zq8v', 'Tn3w', 'Lp5k9'].join('');
  const { params } = storedParams({
    password: 918_273_645_546_372,
    api_key: [secret],
    token: { value: secret },
    env: [{ name: 'DB_PASSWORD', value: secret }],
    args: ['--password', secret],
    [`token=${secret}`]: true,
    max_tokens: 2000,
    path: 'src/token.ts',
  });
  expect(JSON.stringify(params)).not.toContain(secret);
  expect(params).toMatchObject({ password: '[masked]', max_tokens: 2000, path: 'src/token.ts' });
});

test('of parameters each text is masked by itself: a command that ends with a flag takes nothing of the next field', () => {
  const given = { command: 'docker login -u me -p', description: 'Log in to the registry' };
  expect(storedParams(given).params).toEqual(given);
});

test.each([500, 3000, 9000, 40_000])('a secret of %i characters is masked to its end', (length) => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const secret = Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
  const told = (name: string) => [`token=${secret}`, `client-key-data: ${secret}`, `"${name}": "${secret}"`];
  for (const text of [...told('SessionToken'), `Authorization: Bearer ${secret}`, `--password ${secret} x`])
    expect(masked(`${text}\n`)).not.toContain(secret.slice(-20));
});

test('a secret that one place tells is masked in all of a text', () => {
  const secret = ['Herbst', '3617', 'IZx7V'].join('');
  const text = `DB_PASSWORD=${secret}\ntrying ${secret}\nfailed for "${secret}", not for my${secret}s`;
  expect(masked(text)).toBe(
    `DB_PASSWORD=[masked:password]\ntrying [masked:password]\nfailed for "[masked:password]", not for my${secret}s`,
  );
});

test.each([
  [
    'in what is left out',
    `x\n${'x = y;\n'.repeat(9000)}DB_PASSWORD=SECRET\n${'x = y;\n'.repeat(9000)}trying SECRET`,
  ],
  [
    'at the other end of ten million characters',
    `DB_PASSWORD=SECRET\n${'x = y;\n'.repeat(1_500_000)}trying SECRET`,
  ],
])('a secret that is told %s is masked in what is kept', (_, template) => {
  const secret = ['Herbst', '3617', 'IZx7V'].join('');
  const text = template.replaceAll('SECRET', secret);
  for (const kept of [storedText(text, 32_000).text, printedEnds(text, 32_000)]) {
    expect(kept).toContain('trying [masked:password]');
    expect(kept).not.toContain(secret);
  }
});

test.each([
  'name,token\nbob,SECRET\n',
  'password SECRET',
  '| user | password |\n|------|----------|\n| bob | SECRET |\n',
  'user\tapi_key\nbob\tSECRET\n',
])('a secret with dots in it is no member of code: %j', (template) => {
  for (const parts of [
    ['Xk9fQ2mLp7', 'Rt5vWz8nB3'],
    ['MTk4NjIyNDgz', 'Cl2FMQ', 'ZnCjm1XVW7vRze4b7Cq4se7kKWs'],
  ])
    expect(masked(template.replace('SECRET', parts.join('.')))).not.toContain(parts[0]);
  for (const code of ['f(token, secret, Algorithms.HS256)', 'f(\n  secret,\n  Algorithms.HS256,\n  x\n)'])
    expect(masked(code)).toBe(code);
});

test.each([
  ...['\\u001b[31m', '\\\\u001b[31m', '\\e[31m', '\\033[31m', '\\x1b[1;31m', '\u001b[31m', '^[[31m'],
  ...['\\012', '\\n', '%0A', '%0d%0a', '%20'],
])('a letter before %j hides no secret behind it', (sign) => {
  const token = ['ghp_', 'a1B2c3D4'.repeat(5)].join('');
  for (const text of [`a${sign}${token}`, `${sign}${token}`, `x\na${sign}${token} y\n`])
    expect(masked(text)).not.toContain(token);
  expect(masked(`${token.slice(0, 9)}\u001b[31m${token.slice(9)}`)).not.toContain(token.slice(9));
});

test('source keeps its length and stays code without its secrets', () => {
  const token = ['ghp_', 'a1B2c3D4'.repeat(5)].join('');
  const source = `const key = "a\\n${token}";\n// ${token}\nsign(tok, secret, Algorithms.HS256, 0x${'1f'.repeat(4)});\n`;
  const shown = withoutSecrets(source);
  expect(shown).toHaveLength(source.length);
  expect(shown.replaceAll(/mas_[masked_]+/gu, token)).toBe(source);
});
