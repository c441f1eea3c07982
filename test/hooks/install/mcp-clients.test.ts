import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { AGENTS, CLIENTS } from '../../../hooks/index.js';
import { testHome, treeOf } from './homes.js';

const ARGS = ['/opt/codewalk/dist/cli.js', 'mcp', '--format', 'markdown'];
const PLAIN = { command: '/opt/node', args: ARGS };

/** Where each client has our server on Linux, for all projects and for one, and how it writes it. */
const ROWS = [
  ['amp', '.config/amp/settings.json', '.amp/settings.json', { 'amp.mcpServers': { codewalk: PLAIN } }],
  [
    'cline',
    '.cline/data/settings/cline_mcp_settings.json',
    null,
    { mcpServers: { codewalk: { ...PLAIN, disabled: false, autoApprove: [] } } },
  ],
  ['cursor', '.cursor/mcp.json', '.cursor/mcp.json', { mcpServers: { codewalk: PLAIN } }],
  [
    'goose',
    '.config/goose/config.yaml',
    null,
    {
      extensions: {
        codewalk: {
          name: 'codewalk',
          description: 'Code graph and memory of this project',
          type: 'stdio',
          enabled: true,
          cmd: '/opt/node',
          args: ARGS,
          timeout: 300,
        },
      },
    },
  ],
  ['junie', '.junie/mcp/mcp.json', '.junie/mcp/mcp.json', { mcpServers: { codewalk: PLAIN } }],
  ['kiro', '.kiro/settings/mcp.json', '.kiro/settings/mcp.json', { mcpServers: { codewalk: PLAIN } }],
  [
    'opencode',
    '.config/opencode/opencode.json',
    'opencode.json',
    { mcp: { codewalk: { type: 'local', command: ['/opt/node', ...ARGS], enabled: true } } },
  ],
  [
    'vscode',
    '.config/Code/User/mcp.json',
    '.vscode/mcp.json',
    { servers: { codewalk: { type: 'stdio', ...PLAIN } } },
  ],
  ['windsurf', '.codeium/windsurf/mcp_config.json', null, { mcpServers: { codewalk: PLAIN } }],
  ['zed', '.config/zed/settings.json', null, { context_servers: { codewalk: PLAIN } }],
] as const;

describe.each(ROWS)('%s', (name, user, project, settings) => {
  it('is given our server for all projects, and is as before when it goes', () => {
    const home = testHome();
    const before = treeOf(home.userHome);
    home.install(name);
    expect(parse(readFileSync(join(home.userHome, user), 'utf8'))).toEqual(settings);
    expect(home.install(name)).toMatchObject([{ change: 'none' }]);
    expect(home.uninstall(name).refused).toEqual([]);
    expect(treeOf(home.userHome)).toEqual(before);
  });

  it('is given it for one project, where it has settings for one', () => {
    const home = testHome();
    if (project === null)
      expect(() => home.install(name, 'project')).toThrow(/has no settings for one project/);
    else {
      home.install(name, 'project');
      expect(parse(readFileSync(join(home.project, project), 'utf8'))).toEqual(settings);
      home.uninstall(name);
      expect(() => readFileSync(join(home.project, project))).toThrow();
    }
  });

  it('keeps other settings with their comments, also where the entry is taken out of a changed file', () => {
    const home = testHome();
    const file = join(home.userHome, user);
    const [key = ''] = Object.keys(settings);
    const text = user.endsWith('.yaml')
      ? `# mine\n${key}:\n  other: &o { cmd: x } # theirs\nlast: *o\n`
      : `{\n  // mine\n  "${key}": { "other": { "command": "x" } }, /* theirs */\n  "last": 1,\n}\n`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    home.install(name);
    expect(readFileSync(file, 'utf8').split('codewalk').length).toBeGreaterThan(2);
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
    home.uninstall(name);
    expect(readFileSync(file, 'utf8').replace(/\s/gu, '')).toBe(text.replace(/\s/gu, ''));
  });
});

describe('copilot', () => {
  it.each([
    ['user', '.copilot/hooks/codewalk.json', '.copilot/mcp-config.json'],
    ['project', 'work/.github/hooks/codewalk.json', 'work/.github/mcp.json'],
  ] as const)(
    'has hooks without groups in a file that is ours, scope %s, and our server among others',
    (scope, own, shared) => {
      const home = testHome();
      const [hooks, servers] = [join(home.userHome, own), join(home.userHome, shared)];
      mkdirSync(dirname(hooks), { recursive: true });
      writeFileSync(join(dirname(hooks), 'theirs.json'), '{"version": 1}');
      writeFileSync(servers, '{"mcpServers": {"other": {"command": "x"}}}');
      const before = treeOf(home.userHome);
      const changes = home.install('copilot', scope);
      expect(changes.map(({ change }) => change)).toEqual(['create', 'change']);
      const written = JSON.parse(readFileSync(hooks, 'utf8'));
      expect(Object.keys(written)).toEqual(['version', 'hooks']);
      expect(written.hooks.Stop).toEqual([
        {
          type: 'command',
          bash: "sh '/opt/codewalk/dist/record.sh' --client copilot --quiet 2>/dev/null || : # codewalk install",
          timeoutSec: 5,
        },
      ]);
      expect(JSON.parse(readFileSync(servers, 'utf8')).mcpServers).toEqual({
        other: { command: 'x' },
        codewalk: {
          type: 'local',
          tools: ['*'],
          command: '/opt/node',
          args: [...ARGS, '--client', 'copilot'],
        },
      });
      expect(home.install('copilot', scope).map(({ change }) => change)).toEqual(['none', 'none']);
      expect(home.uninstall('copilot').refused).toEqual([]);
      expect(treeOf(home.userHome)).toEqual(before);
    },
  );
});

describe('the clients of MCP', () => {
  it('are all held to what is written for them', () => {
    const tested = [
      ...ROWS.map(([name]) => name),
      'claude-desktop',
      'continue',
      ...AGENTS.map(({ name }) => name),
    ];
    expect(CLIENTS.map(({ name }) => name)).toEqual(tested.sort());
  });

  it('have no installation where there are no settings of theirs', () => {
    const home = testHome();
    expect(() => home.install('claude-desktop')).toThrow(/Claude Desktop has no settings on this system/);
    expect(() => home.install('continue')).toThrow(/config\.yaml is not there yet/);
    expect(home.uninstall().refused).toEqual([]);
  });

  it('of XDG_CONFIG_HOME are found where it leads, and JSON with comments by its own name', () => {
    const home = testHome({ XDG_CONFIG_HOME: '/dev/null' });
    expect(() => home.install('opencode')).toThrow(/\/dev\/null/);
    const other = testHome();
    const file = join(other.userHome, '.config/opencode/opencode.jsonc');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '// mine\n{}\n');
    other.install('opencode');
    expect(readFileSync(file, 'utf8')).toMatch(/^\/\/ mine\n\{\n {2}"mcp": /);
  });
});
