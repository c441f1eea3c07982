import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testHome, treeOf } from './homes.js';

/** Settings of Codex as people have them; null: there are none. */
const TAKEN: Readonly<Record<string, string | null>> = {
  'that are not there': null,
  'that are empty': '',
  'of a comment alone': '# to be filled',
  'with a last line that does not end': 'model = "gpt"',
  'with comments and tables': '# mine\nmodel = "gpt" # best\n\n[features]\nhooks = true\n# the end\n',
  'with servers of others': '[mcp_servers.files]\ncommand = "files"\n\n[mcp_servers.files.env]\nA = "1"\n',
  'with a table that is made by its parts': 'mcp_servers.files.command = "files"\n',
  'with odd keys': '[ "mcp_servers" . \'files\' ]\n"command"="a\\u00e9"\nargs = [\n  "1", # one\n]\n',
  'with lists of tables': '[[a.b]]\nc = 1979-05-27T07:32:00Z\n[[a.b]]\nc = 1e3\nd = nan\n',
  'with what only looks like ours': 'a = """\n[mcp_servers.codewalk]\n"""\n',
  'with CRLF and a byte order mark': '\uFEFFmodel = "gpt"\r\n\r\n[features]\r\nhooks = true\r\n',
};

const REFUSED: Readonly<Record<string, readonly [string | Uint8Array, RegExp]>> = {
  'what is no TOML': ['model = \n', /is no valid TOML: .* at line 2, column 1/],
  'another encoding': [Buffer.from('a = "\xe9"', 'latin1'), /is not in UTF-8/],
  'servers on one line': [
    'mcp_servers = { files = { command = "f" } }\n',
    /in a form that cannot be changed safely/,
  ],
  'servers of another form': ['mcp_servers = 1\n', /in a form that cannot be changed safely/],
  'another server of our name': [
    '[mcp_servers.codewalk]\ncommand = "other"\n',
    /has a 'mcp_servers.codewalk' that is not ours/,
  ],
};

function homeWith(content: string | Uint8Array | null) {
  const home = testHome();
  const file = join(home.userHome, '.codex/config.toml');
  mkdirSync(dirname(file));
  if (content !== null) writeFileSync(file, content);
  return { ...home, file, text: () => readFileSync(file, 'utf8') };
}

describe('settings of Codex', () => {
  it.each(Object.entries(TAKEN))('%s: take our table once, and are as before when it goes', (_, content) => {
    const home = homeWith(content);
    const before = treeOf(home.userHome);
    home.install('codex');
    const installed = treeOf(home.userHome);
    const begin = content ?? '';
    expect(home.text().startsWith(begin)).toBe(true);
    expect(home.text().slice(begin.length).replaceAll('\r', '').trimStart()).toBe(
      '[mcp_servers.codewalk]\ncommand = "/opt/node"\nargs = ["/opt/codewalk/dist/cli.js", "mcp", "--format", "markdown", "--client", "codex"]\n',
    );
    expect(readFileSync(join(home.userHome, '.codex/hooks.json'), 'utf8')).toContain('--client codex');
    home.install('codex');
    expect(treeOf(home.userHome)).toEqual(installed);
    home.uninstall('codex');
    expect(treeOf(home.userHome)).toEqual(before);
  });

  it.each(Object.entries(TAKEN))('%s: keep what was written behind ours meanwhile', (_, content) => {
    const home = homeWith(content);
    home.install('codex');
    const newline = content?.includes('\r') ? '\r\n' : '\n';
    const added = ['# theirs', '[other]', 'x = [1, 2] # two', ''].join(newline);
    writeFileSync(
      home.file,
      `${home.text()}[mcp_servers.codewalk.tools.query]${newline}a = 1${newline}${added}`,
    );
    home.install('codex');
    home.uninstall('codex');
    const ended = content && !content.endsWith('\n') ? `${content}${newline}` : (content ?? '');
    expect(home.text()).toBe(ended + added);
  });

  it('renew an entry of another version, and what a client added beneath it goes with it', () => {
    const home = homeWith('a = 1\n');
    home.install('codex', 'user', { dist: '/old/dist' });
    writeFileSync(home.file, `${home.text()}\n[mcp_servers.codewalk.env]\nX = "1"\n`);
    const [, server] = home.install('codex');
    expect(server).toMatchObject({ change: 'change', renewed: ['mcp_servers.codewalk'] });
    expect(home.text()).not.toContain('/old/dist');
    home.uninstall();
    expect(home.text()).toBe('a = 1\n');
  });

  it.each(Object.entries(REFUSED))('with %s: are refused, and nothing is written', (_, [content, why]) => {
    const home = homeWith(content);
    const before = treeOf(home.userHome);
    expect(() => home.install('codex')).toThrow(
      expect.objectContaining({ code: 'INSTALL_REFUSED', message: expect.stringMatching(why) }),
    );
    expect(treeOf(home.userHome)).toEqual(before);
  });

  it('in which somebody has rewritten ours on one line: are left as they are, with a word', () => {
    const home = homeWith('');
    home.install('codex');
    const text = 'mcp_servers.codewalk = { command = "/opt/node", args = ["/x/cli.js", "mcp"] }\n';
    writeFileSync(home.file, text);
    const { refused } = home.uninstall('codex');
    expect(refused.map(({ code, message }) => [code, message])).toEqual([
      ['INSTALL_REFUSED', expect.stringContaining('in a form that cannot be changed safely')],
    ]);
    expect(home.text()).toBe(text);
  });
});
