import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testHome, treeOf } from './homes.js';

const LF = (lines: readonly string[]) => `${lines.join('\n')}\n`;
const OTHER_HOOK = { matcher: 'x', hooks: [{ type: 'command', command: 'echo codewalk install' }] };

/** Settings files as people have them; null: there is none. */
const TAKEN: Readonly<Record<string, string | Uint8Array | null>> = {
  'that is not there': null,
  'that is empty': '',
  'of an empty object': '{}',
  'with a comment and nothing else': '// to be filled\n',
  'with comments and trailing commas': LF([
    '{',
    '  // how it looks',
    '  "theme": "dark", /* or light */',
    '  "mcpServers": {',
    '    // none yet',
    '  },',
    '}',
  ]),
  'with hooks of others': JSON.stringify({ hooks: { Stop: [OTHER_HOOK], Other: [] }, a: 1 }, null, 4),
  'with servers of others': JSON.stringify({ mcpServers: { files: { command: 'files' } } }, null, '\t'),
  'with lists that are empty': '{\n  "hooks": { "Stop": [], "SessionEnd": [ ] },\n  "mcpServers": {}\n}\n',
  'on one line': '{"theme":"dark","hooks":{"Stop":[{"hooks":[]}]},"mcpServers":{"a":{"command":"b"}}}',
  'with CRLF and a byte order mark': '\uFEFF{\r\n\t"theme": "dark"\r\n}\r\n',
  'with odd indentation': '   {  "a":1,\n"b":\n      {"c" : [ 1,2 ]}\n   }',
  'with what JSON escapes': '{"é😀\\u0041": "\\"hooks\\": {}", "b": "\\\\"}\n',
};

/** Settings files that cannot take our entries, and why. */
const REFUSED: Readonly<Record<string, readonly [string | Uint8Array, RegExp]>> = {
  'broken JSON': ['{\n  "a": 1,,\n}', /is no valid JSON: .* at line 2, column 10/],
  'half a file': ['{"a": 1', /is no valid JSON/],
  'a list': ['[]', /holds no JSON object/],
  'another encoding': [Buffer.from('{"a":"\xe9"}', 'latin1'), /is not in UTF-8/],
  'hooks of another form': ['{"hooks": []}', /something else than an object in 'hooks'/],
  'an event of another form': [
    '{"hooks": {"SessionEnd": {}}}',
    /something else than an array in 'hooks.SessionEnd'/,
  ],
  'a key twice': ['{"hooks": {}, "hooks": {"Stop": []}}', /has the key 'hooks' twice/],
  'another server of our name': [
    '{"mcpServers": {"codewalk": {"command": "other"}}}',
    /has a 'mcpServers.codewalk' that is not ours/,
  ],
};

function write(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** The clients and scopes, and the settings files that they share with others. */
const KINDS = [
  { client: 'qwen', scope: 'project', files: ['work/.qwen/settings.json'] },
  { client: 'gemini', scope: 'user', files: ['.gemini/settings.json'] },
  { client: 'gemini', scope: 'project', files: ['work/.gemini/settings.json'] },
  { client: 'claude', scope: 'user', files: ['.claude/settings.json', '.claude.json'] },
  { client: 'claude', scope: 'project', files: ['work/.claude/settings.json', 'work/.mcp.json'] },
] as const;

describe.each(KINDS)('settings of $client, scope $scope', ({ client, scope, files }) => {
  it.each(Object.entries(TAKEN))(
    '%s: take our entries once, and are as before when they go',
    (_, content) => {
      const home = testHome();
      for (const file of files) if (content !== null) write(join(home.userHome, file), content);
      const before = treeOf(home.userHome);
      expect(home.install(client, scope, {}, true)).not.toEqual([]);
      expect(treeOf(home.userHome)).toEqual(before);
      home.install(client, scope);
      const installed = treeOf(home.userHome);
      const text = files.map((file) => readFileSync(join(home.userHome, file), 'utf8')).join('\n');
      expect(text).toContain(`sh '/opt/codewalk/dist/record.sh' --client ${client} --quiet`);
      expect(text.match(/"codewalk": ?\{/gu)).toHaveLength(1);
      home.install(client, scope);
      expect(treeOf(home.userHome)).toEqual(installed);
      home.uninstall(client);
      expect(treeOf(home.userHome)).toEqual(before);
    },
  );

  it.each(Object.entries(TAKEN))('%s: keep what somebody else wrote meanwhile', (_, content) => {
    const home = testHome();
    for (const file of files) if (content !== null) write(join(home.userHome, file), content);
    home.install(client, scope);
    for (const file of files) {
      const path = join(home.userHome, file);
      writeFileSync(path, readFileSync(path, 'utf8').replace('{', '{"fresh": [1], '));
    }
    home.install(client, scope);
    home.uninstall(client);
    for (const file of files) {
      const text = readFileSync(join(home.userHome, file), 'utf8');
      const was = typeof content === 'string' ? content : '';
      const bare = (whole: string) =>
        whole.replace('"fresh": [1],', '').replace('"fresh": [1]', '').replaceAll(/\s/gu, '');
      expect(text).toContain('"fresh": [1]');
      expect(bare(text)).toBe(bare(was.includes('{') ? was : `${was}{}`));
    }
  });

  it.each(Object.entries(REFUSED))('with %s: are refused, and nothing is written', (name, [content, why]) => {
    const home = testHome();
    // What is wrong with hooks or servers alone is wrong where they are looked for.
    const wrong = name.includes('server') ? files.at(-1) : files[0];
    write(join(home.userHome, wrong ?? ''), content);
    const before = treeOf(home.userHome);
    expect(() => home.install(client, scope)).toThrow(
      expect.objectContaining({ code: 'INSTALL_REFUSED', message: expect.stringMatching(why) }),
    );
    expect(treeOf(home.userHome)).toEqual(before);
  });

  it('that are read-only, a folder, or a link to nowhere: are refused, and nothing is written', () => {
    const home = testHome();
    const [first] = files;
    const path = join(home.userHome, first);
    mkdirSync(dirname(path), { recursive: true });
    const refused = (why: RegExp) => {
      const before = treeOf(home.userHome);
      expect(() => home.install(client, scope)).toThrow(why);
      expect(treeOf(home.userHome)).toEqual(before);
    };
    symlinkSync('nowhere', path);
    refused(/is a link that leads nowhere/);
    const other = testHome();
    mkdirSync(join(other.userHome, first), { recursive: true });
    expect(() => other.install(client, scope)).toThrow(/is no file/);
    const third = testHome();
    write(join(third.userHome, first), '{}');
    chmodSync(join(third.userHome, first), 0o444);
    expect(() => third.install(client, scope)).toThrow(/is read-only/);
    expect(readFileSync(join(third.userHome, first), 'utf8')).toBe('{}');
  });

  it('behind a link: are written where they are, with the mode that they have', () => {
    const home = testHome();
    for (const file of files) {
      const real = join(home.userHome, 'dotfiles', file.replaceAll('/', '_'));
      write(real, '{ "mine": true }\n');
      chmodSync(real, 0o640);
      mkdirSync(dirname(join(home.userHome, file)), { recursive: true });
      symlinkSync(real, join(home.userHome, file));
    }
    const before = treeOf(home.userHome);
    home.install(client, scope);
    const links = (tree: Record<string, string>) =>
      Object.entries(tree).filter(([, state]) => state.startsWith('120'));
    expect(links(treeOf(home.userHome))).toEqual(links(before));
    expect(treeOf(home.userHome)[`/dotfiles/${files[0].replaceAll('/', '_')}`]).toMatch(
      /^100640 .*record\.sh/su,
    );
    home.uninstall(client);
    expect(treeOf(home.userHome)).toEqual(before);
  });
});

const SERVER = '"codewalk": {"command": "/opt/node", "args": ["/opt/codewalk/dist/cli.js", "mcp"]}';

/** Project servers as somebody wrote around ours meanwhile, and as they are when ours goes. */
const AROUND: Readonly<Record<string, readonly [string, string]>> = {
  'before a last entry': [
    '{\n  "a": 1, // mine\n  // note, and {\n  "mcpServers": {SERVER}\n}',
    '{\n  "a": 1, // mine\n  // note, and {\n  "mcpServers": {}\n}',
  ],
  'before and behind an only one': [
    '{"mcpServers": { /* b */ SERVER /* c */ }}',
    '{"mcpServers": { /* b */  /* c */ }}',
  ],
  'before and behind a first one': [
    '{"mcpServers": {\n  // first\n  SERVER, // ours\n  // next\n  "b": {}\n}}',
    '{"mcpServers": {\n  // first\n   // ours\n  // next\n  "b": {}\n}}',
  ],
  'behind the one before a last one': [
    '{"mcpServers": {\n  "b": {}, // of b\n  // note, and {\n  SERVER\n}}',
    '{"mcpServers": {\n  "b": {} // of b\n  // note, and {\n}}',
  ],
  'before its comma': ['{"mcpServers": {SERVER /* x, */,}}', '{"mcpServers": { /* x, */}}'],
  'on a line before its comma': [
    '{"mcpServers": {SERVER // x\n, "b": {}}}',
    '{"mcpServers": { // x\n "b": {}}}',
  ],
};

it.each(Object.entries(AROUND))('keep comments %s', (_, [text, left]) => {
  const home = testHome();
  const path = join(home.project, '.mcp.json');
  write(path, '{"mcpServers": {}}');
  home.install('claude', 'project');
  writeFileSync(path, text.replace('SERVER', SERVER));
  home.uninstall('claude');
  expect(readFileSync(path, 'utf8')).toBe(left);
});
