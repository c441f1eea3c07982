/** A text that may take long to read. */
export interface HostileText {
  readonly name: string;
  readonly text: string;
}

const ESC = '\u001b';

/** What long texts repeat, by what it is; `head` and `tail` stand once around it. */
const REPEATED: readonly { readonly name: string; head?: string; of: string; tail?: string }[] = [
  { name: 'one letter', of: 'a' },
  { name: 'one letter before @', of: 'a', tail: '@' },
  { name: 'digits', of: '0', tail: 'x' },
  { name: 'blanks', of: ' ', tail: 'x=' },
  { name: 'tabs', of: '\t', tail: 'x' },
  { name: 'line ends', of: '\n', tail: 'x' },
  { name: 'carriage returns', of: '\r', tail: 'x' },
  { name: 'lines of CRLF', of: '\r\n', tail: 'x' },
  { name: 'blank lines', of: ' \n', tail: 'x' },
  { name: 'double quotes', of: '"' },
  { name: 'escaped quotes', of: '"\\' },
  { name: 'single quotes', of: "'\\" },
  { name: 'backquotes', of: '`a' },
  { name: 'backslashes', of: '\\' },
  { name: 'round brackets', of: '(' },
  { name: 'braces', of: '{' },
  { name: 'square brackets', of: '[' },
  { name: 'angle brackets', of: '<a ' },
  { name: 'closing brackets', of: ')]}' },
  { name: 'pairs of brackets', of: '()' },
  { name: 'mail addresses', of: 'a@' },
  { name: 'dotted names', of: 'a.' },
  { name: 'dashed names', of: '-a0' },
  { name: 'underscores', of: '_' },
  { name: 'dollars', of: '$0' },
  { name: 'slashes', of: '/' },
  { name: 'folders', of: 'a/', tail: '!' },
  { name: 'up folders', of: '../' },
  { name: 'places', of: 'a.ts:1:' },
  { name: 'schemes', of: 'a+', tail: ':/' },
  { name: 'URLs', of: 'http://a:b@' },
  { name: 'query keys', of: '?a=b&' },
  { name: 'percent signs', of: '%41' },
  { name: 'equal signs', of: 'a=' },
  { name: 'assignments in lines', of: 'a=b\n' },
  { name: 'passwords', of: 'password=' },
  { name: 'comments that name a key', of: '// the key\n' },
  { name: 'words before a password', of: 'my password is ' },
  { name: 'names of secrets', of: 'the key secret token ' },
  { name: 'keys without values', of: 'key:\n"key":\n  key=\\n' },
  { name: 'tokens in quotes', of: 'token: "' },
  { name: 'JSON web tokens', of: 'eyJ', tail: '.' },
  { name: 'longer JSON web tokens', of: 'eyJ0000000-' },
  { name: 'bearers', of: 'Authorization: Bearer ' },
  { name: 'curl', of: 'curl -u ' },
  { name: 'heads of keys', of: '-----BEGIN PRIVATE KEY-----' },
  { name: 'a key with headers', head: '-----BEGIN PRIVATE KEY-----', of: '-----aaaa-aaaa: ' },
  { name: 'a key of header lines', head: '-----BEGIN RSA PRIVATE KEY-----\n', of: 'aaaa: bbbb\n' },
  { name: 'base64 in lines', of: `${'QUJD'.repeat(16)}\n`, tail: '!' },
  { name: 'values behind signs on one line', of: 'password= > ' },
  { name: 'hexadecimal', of: '0123456789abcdef' },
  { name: 'vitest names in a line', of: 'FAIL a > ' },
  { name: 'vitest names', of: ' FAIL  a > b\n' },
  { name: 'vitest suites', head: ' FAIL  a', of: ' [ b', tail: '\n' },
  { name: 'vitest marks', of: ' × a > b 8ms\n   → c\n' },
  { name: 'jest marks', of: '  ● a › b\n' },
  { name: 'pytest summaries', of: 'FAILED a.py::b - c\n' },
  { name: 'pytest ids in a line', head: 'ERROR a', of: '.b::c' },
  { name: 'pytest headings', of: '____ a ____\nE   x\n' },
  { name: 'pytest rules', of: '_ ', tail: '\n' },
  { name: 'frames of Python', of: 'File "a.py", line 1\n' },
  { name: 'open frames of Python', of: 'File "' },
  { name: 'frames of Node', of: '  at f (' },
  { name: 'frames in lines', of: '    at f (a.ts:1:2)\n' },
  { name: 'tracebacks', of: 'Traceback (most recent call last):\n' },
  { name: 'errors', of: 'Error: ' },
  { name: 'errors in lines', of: 'TypeError: a\n' },
  { name: 'errors of compilers', of: 'a.ts(1,2): error TS1: a\n' },
  { name: 'errors of gcc', of: 'a.c:1:2: error: x\n' },
  { name: 'errors of eslint', head: '/a/b.js\n', of: '  1:2  error  x  y\n' },
  { name: 'errors of eslint without a file', of: '  1:2  error  x  y\n' },
  { name: 'errors of rustc', of: 'error[E1]: a\n --> b.rs:1:2\n' },
  { name: 'panics', of: "thread 'a' panicked at 'b', " },
  { name: 'cargo', of: '---- a stdout ----\n' },
  { name: 'go', of: '--- FAIL: A (0.00s)\n' },
  { name: 'go, verbose', of: '=== RUN   A\n--- FAIL: A (0.00s)\n' },
  { name: 'go packages', of: 'FAIL\ta\t0.1s\n' },
  { name: 'TAP', of: 'not ok 1 - a\n' },
  { name: 'TAP without reasons', of: "not ok 1 - a\n  ---\n  error: 'test failed'\n  ...\n" },
  { name: 'spec', of: '✖ a (1ms)\n' },
  { name: 'unittest', of: 'FAIL: a (b.c)\n' },
  { name: 'mocha', head: '  2 failing\n', of: '  1) a\n' },
  { name: 'counts', of: '1 failed, ' },
  { name: 'rules', of: '#####' },
  { name: 'rules in lines', of: '=====   \n' },
  { name: 'reports of Qwen', head: 'Command: a\nDirectory: b\nOutput: c', of: '\nError: a' },
  { name: 'heads of diffs', of: '@@ -1,2 +3 @@\n+a\n-b\n' },
  { name: 'a diff', of: '+a\n' },
  { name: 'nested JSON', of: '{"a":[' },
  { name: 'JSON', of: '{"key": "a", "value": "b"},\n' },
  { name: 'comments', of: '/* ' },
  { name: 'line comments', of: '// TODO(a): b\n' },
  { name: 'slashes before TODO', of: '//', tail: 'TODX' },
  { name: 'doc comments', of: '/**//**/ ' },
  { name: 'markup', of: '<!-- ' },
  { name: 'attributes', head: '<template', of: ' a="', tail: '>' },
  { name: 'backquoted text of Markdown', of: '```\n' },
  { name: 'links of Markdown', of: '[a](' },
  { name: 'tables of Markdown', of: '| a ' },
  { name: 'trailers', of: 'A: b <' },
  { name: 'trailers with mail', head: 'A b: <', of: '@0' },
  { name: 'a subject', head: 'fix(', of: 'a/' },
  { name: 'a release', head: 'chore:', of: ' : ', tail: 'x' },
  { name: 'calls', of: 'git commit ' },
  { name: 'commands', of: 'cd a && ' },
  { name: 'pipes', of: 'a | ' },
  { name: 'redirections', of: '2>' },
  { name: 'scripts', head: 'npm run ', of: '-t-0' },
  { name: 'assignments before a command', of: 'A=b ' },
  { name: 'humps', of: 'aB' },
  { name: 'words', of: 'word and other words ' },
  { name: 'ANSI escapes', of: `${ESC}[31m` },
  { name: 'open ANSI escapes', of: `${ESC}[` },
  { name: 'operating system commands', of: `${ESC}]8;;` },
  { name: 'numbers of escapes', head: `${ESC}[`, of: '1;' },
  { name: 'zero width', of: '\u200b' },
  { name: 'combining marks', of: 'e\u0301' },
  { name: 'emoji', of: '👩‍👩‍👧' },
  { name: 'lone surrogates', of: '\ud800' },
  { name: 'swapped surrogates', of: '\udc00\ud800' },
  { name: 'Chinese', of: '中' },
  { name: 'line separators', of: '\u2028' },
  { name: 'NUL', of: '\0' },
  { name: 'Cypher lists', head: 'RETURN ', of: '[' },
  { name: 'Cypher terms', head: 'RETURN 1', of: ' + 1' },
  { name: 'Cypher strings', head: 'RETURN ', of: "'a' + " },
  { name: 'Cypher patterns', head: 'MATCH (a)', of: '-->(b)', tail: ' RETURN a' },
  { name: 'Cypher nots', head: 'RETURN ', of: 'NOT ' },
  { name: 'Cypher comments', of: '/**/ ' },
  { name: 'Cypher clauses', of: 'MATCH (a) ' },
];

/** The pathological texts, each of about so many characters. */
export function hostileTexts(length: number): HostileText[] {
  return REPEATED.map(({ name, head = '', of, tail = '' }) => ({
    name,
    text: head + of.repeat(Math.ceil(length / of.length)) + tail,
  }));
}

/** The payload that the security review found, and its kin. */
export const BOMBS: readonly string[] = [
  `-----BEGIN PRIVATE KEY-----${'-----aaaa-aaaa: '.repeat(14)}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${'aaaa: bbbb\n'.repeat(400)}`,
  `${'x'.repeat(40)}: ${'-----aaaa-aaaa: '.repeat(14)}`,
];

/** Texts that are nearly one, each made of the last by cutting, doubling, moving or replacing a part; the same for a seed. */
export function* mutationsOf(text: string, count: number, seed = 1): Generator<string> {
  const pieces = REPEATED.map(({ of }) => of);
  let state = seed >>> 0 || 1;
  const below = (most: number) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, most);
  };
  let last = text;
  for (let made = 0; made < count; made++) {
    // Not too far from where it began, and not ever longer.
    if (below(20) === 0 || last.length > 3 * text.length + 100) last = text;
    const [from, to] = [below(last.length), below(last.length)].sort((a, b) => a - b);
    const part = last.slice(from, to);
    const piece = (pieces[below(pieces.length)] ?? '').repeat(1 + below(12));
    const others = [part + part, '', piece, `${part}${piece}`, [...part].reverse().join('')];
    last = last.slice(0, from) + (others[below(others.length)] ?? '') + last.slice(to ?? from);
    yield last;
  }
}
