import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { testHome, treeOf } from './homes.js';

const HEAD = 'name: Local\nversion: 1.0.0\n';

/** Settings of Goose (names) and Continue (a list) as people have them. */
const TAKEN: readonly (readonly [what: string, client: 'goose' | 'continue', text: string])[] = [
  ['without servers', 'continue', HEAD],
  ['without servers, whose last line does not end', 'goose', 'GOOSE_MODEL: m'],
  ['of comments alone', 'goose', '# to be filled\n'],
  ['with a key of nothing', 'goose', 'extensions: # none yet\nlast: 1\n'],
  ['with empty braces', 'goose', 'extensions: {}\nlast: 1\n'],
  ['with empty brackets', 'continue', `${HEAD}mcpServers: []\n`],
  ['with braces', 'goose', 'extensions: { other: { cmd: x }, b: {} } # mine\n'],
  ['with brackets over lines', 'continue', `${HEAD}mcpServers: [\n  { name: other, command: x },\n]\n`],
  [
    'with names',
    'goose',
    '# mine\nextensions:\n    # first\n    other:\n        cmd: x # two\n\n    b: {}\nlast: 1\n',
  ],
  ['with a list', 'continue', `${HEAD}mcpServers:\n  # first\n  - name: other\n    command: x\n\nlast: 1\n`],
  ['with a list that is not indented', 'continue', `mcpServers:\n- name: other\n  command: x\n${HEAD}`],
  [
    'with anchors and aliases',
    'goose',
    'base: &base\n  cmd: x\nextensions: &all\n  other: *base\n  b:\n    <<: *base\nc: *base\n',
  ],
  [
    'with texts over lines',
    'goose',
    'text: |\n  extensions:\n    other: 1\nextensions:\n  other:\n    cmd: >-\n      a\n      b\n',
  ],
  ['with quoted keys', 'goose', '"extensions":\n  "other": {cmd: x}\n'],
  ['with CRLF', 'goose', 'a: 1\r\nextensions:\r\n  other: {cmd: x}\r\n'],
  ['behind a mark', 'goose', '%YAML 1.2\n---\nextensions:\n  other: {cmd: x}\n'],
];

const REFUSED: Readonly<Record<string, readonly [text: string, why: RegExp]>> = {
  'what is no YAML': ['a: [1\nb: 2\n', /is no valid YAML/],
  'a list': ['- a\n', /holds no mapping/],
  'two documents': ['a: 1\n---\nb: 2\n', /holds several documents/],
  'a key twice': ['a: 1\na: 2\n', /is no valid YAML/],
  'an alias for its servers': ['a: &a {b: {}}\nextensions: *a\n', /cannot be changed safely/],
  'its servers under another name, too': ['extensions: &a\n  b: {}\nc: *a\n', /cannot be changed safely/],
  'a text for its servers': ['extensions: none\n', /cannot be changed safely/],
  'another server of our name': [
    'extensions:\n  codewalk: {cmd: other}\n',
    /has a 'extensions.codewalk' that is not ours/,
  ],
  'a document that has ended': ['a: 1\n...\n', /cannot be changed safely|several documents|no valid YAML/],
};

const FILES = { goose: '.config/goose/config.yaml', continue: '.continue/config.yaml' };

function homeWith(client: 'goose' | 'continue', text: string) {
  const home = testHome();
  const file = join(home.userHome, FILES[client]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return { ...home, file, text: () => readFileSync(file, 'utf8') };
}

/** What our server is, however its file has it. */
function oursIn(text: string): unknown {
  const { extensions, mcpServers } = parse(text, { merge: false });
  return extensions?.codewalk ?? mcpServers?.find(({ name }: { name: string }) => name === 'codewalk');
}

describe('settings in YAML', () => {
  it.each(TAKEN)('%s: take our entry once, and are as before when it goes (%s)', (_, client, text) => {
    const home = homeWith(client, text);
    const before = treeOf(home.userHome);
    home.install(client);
    const installed = home.text();
    expect(oursIn(installed)).toMatchObject({ name: 'codewalk', type: 'stdio' });
    expect(installed.split('\n').filter((line) => line.includes('/opt/codewalk'))).toHaveLength(1);
    home.install(client);
    expect(home.text()).toBe(installed);
    home.uninstall(client);
    expect(treeOf(home.userHome)).toEqual(before);
  });

  it.each(TAKEN)('%s: keep what was written meanwhile (%s)', (_, client, text) => {
    const home = homeWith(client, text);
    home.install(client);
    const newline = text.includes('\r') ? '\r\n' : '\n';
    writeFileSync(home.file, `${home.text()}fresh: [1] # theirs${newline}`);
    home.install(client);
    expect(home.uninstall(client).refused).toEqual([]);
    const ended = text.endsWith('\n') ? text : `${text}${newline}`;
    expect(home.text()).toBe(`${ended}fresh: [1] # theirs${newline}`);
  });

  it.each(Object.entries(REFUSED))('with %s: are refused, and nothing is written', (_, [text, why]) => {
    const home = homeWith('goose', text);
    expect(() => home.install('goose')).toThrow(
      expect.objectContaining({ code: 'INSTALL_REFUSED', message: expect.stringMatching(why) }),
    );
    expect(home.text()).toBe(text);
  });

  it('that the client has written anew: lose our entry alone', () => {
    const home = homeWith('goose', 'extensions:\n  other: {cmd: x}\n');
    home.install('goose');
    const { codewalk, other } = parse(home.text()).extensions;
    const lines = Object.entries(codewalk).map(([name, value]) => `    ${name}: ${JSON.stringify(value)}\n`);
    writeFileSync(
      home.file,
      `extensions:\n  other:\n    cmd: ${other.cmd}\n  codewalk:\n${lines.join('')}z: 1\n`,
    );
    expect(home.uninstall('goose').refused).toEqual([]);
    expect(home.text()).toBe('extensions:\n  other:\n    cmd: x\nz: 1\n');
  });
});
