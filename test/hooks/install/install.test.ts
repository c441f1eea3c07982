import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { clientNamed, lastingNode, lastingPath, serverConfig } from '../../../hooks/index.js';
import { firstLineOf } from '../../../hooks/install/examine.js';
import { scratch } from '../../host/journal/recorders.js';
import { testHome, treeOf } from './homes.js';

const EXTENSION = '.qwen/extensions/codewalk';

describe('an extension of Qwen Code', () => {
  it('has a server whose tools are loaded at once, hooks, a context and a skill, and goes with its folders', () => {
    const home = testHome();
    const before = treeOf(home.userHome);
    home.install('qwen');
    const read = (file: string) => readFileSync(join(home.userHome, EXTENSION, file), 'utf8');
    const { contextFileName, mcpServers } = JSON.parse(read('qwen-extension.json'));
    expect(mcpServers).toEqual({
      codewalk: {
        command: '/opt/node',
        args: ['/opt/codewalk/dist/cli.js', 'mcp', '--format', 'markdown', '--client', 'qwen'],
        alwaysLoadTools: true,
      },
    });
    expect(read(contextFileName)).not.toMatch(/[<>]/u);
    expect(read('skills/codewalk/SKILL.md')).toMatch(/^---\nname: codewalk\ndescription: [^:#]+\n---\n/u);
    const { hooks } = JSON.parse(read('hooks/hooks.json'));
    expect(Object.keys(hooks)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PostToolUse',
      'PostToolUseFailure',
      'Stop',
      'SessionEnd',
    ]);
    // Seconds in one version, milliseconds in the other: as much in both.
    for (const [{ hooks: commands }] of Object.values<[{ hooks: { timeout: number }[] }]>(hooks))
      expect(commands[0]?.timeout).toBeGreaterThanOrEqual(1000);
    expect(home.install('qwen').map(({ change }) => change)).toEqual(['none', 'none', 'none', 'none']);
    home.uninstall('qwen');
    expect(treeOf(home.userHome)).toEqual(before);
  });

  it('is refused where a folder of that name is somebody else’s, and keeps what others put into ours', () => {
    const home = testHome();
    const folder = join(home.userHome, EXTENSION);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'qwen-extension.json'), '{"name":"codewalk"}');
    expect(() => home.install('qwen')).toThrow(/is there already and is not ours/);
    rmSync(folder, { recursive: true });
    symlinkSync(home.project, folder);
    expect(() => home.install('qwen')).toThrow(/is a link to a folder elsewhere/);
    rmSync(folder);
    home.install('qwen');
    writeFileSync(join(folder, 'notes'), 'mine');
    home.uninstall('qwen');
    expect(Object.keys(treeOf(folder))).toEqual(['/notes']);
  });
});

describe('an installation', () => {
  it('is renewed by another version or place, and what was before the first one comes back', () => {
    const home = testHome();
    const settings = join(home.userHome, '.claude', 'settings.json');
    mkdirSync(join(home.userHome, '.claude'));
    writeFileSync(settings, '{ "theme": "dark" }');
    const before = treeOf(home.userHome);
    home.install('claude');
    const [hooks, server] = home.install('claude', 'user', { dist: '/else where/dist', home: "/it's" });
    expect(hooks?.renewed).toHaveLength(8);
    expect(server?.renewed).toEqual(['mcpServers.codewalk']);
    const text = readFileSync(settings, 'utf8');
    expect(text).not.toContain('/opt/codewalk');
    expect(JSON.parse(text).hooks.Stop).toEqual([
      {
        hooks: [
          {
            type: 'command',
            command: `sh '/else where/dist/record.sh' --client claude --quiet --cwd "$CLAUDE_PROJECT_DIR" --home '/it'\\''s' 2>/dev/null || :`,
            timeout: 5,
          },
        ],
      },
    ]);
    home.uninstall('claude');
    expect(treeOf(home.userHome)).toEqual(before);
  });

  it('starts the server with the profiles that were asked for, and changes nothing else for others', () => {
    const home = testHome();
    const before = treeOf(home.userHome);
    const argsOf = (file: string) =>
      JSON.parse(readFileSync(join(home.userHome, file), 'utf8')).mcpServers.codewalk.args;
    for (const [client, file] of [
      ['claude', '.claude.json'],
      ['qwen', `${EXTENSION}/qwen-extension.json`],
    ] as const) {
      home.install(client, 'user', { profiles: ['query', 'memory'] });
      expect(argsOf(file).slice(2, 6)).toEqual(['--format', 'markdown', '--profile', 'query,memory']);
      expect(
        home.install(client, 'user', { profiles: ['query', 'memory'] }).map(({ change }) => change),
      ).not.toContain('change');
      const changes = home.install(client, 'user', { profiles: ['all'] });
      expect(changes.filter(({ change }) => change !== 'none')).toHaveLength(1);
      expect(argsOf(file)).toContain('all');
      home.install(client);
      expect(argsOf(file)).not.toContain('--profile');
    }
    home.uninstall();
    expect(treeOf(home.userHome)).toEqual(before);
  });

  it('has Claude answer what it reads, and of its other successes only what hides a failure', () => {
    const home = testHome();
    home.install('claude');
    const settings = JSON.parse(readFileSync(join(home.userHome, '.claude', 'settings.json'), 'utf8'));
    const { command } = settings.hooks.PostToolUse[0].hooks[0];
    const only = /--only '([^']*)'/u.exec(command)?.[1] ?? '';
    const isAnswered = (tool_name: string, stdout = '') =>
      spawnSync('grep', ['-Eq', '-e', only], { input: JSON.stringify({ tool_name, stdout }) }).status === 0;
    expect(isAnswered('Read')).toBe(true);
    expect(isAnswered('Bash', '1 failed')).toBe(true);
    for (const tool of ['Bash', 'Edit', 'Write', 'Grep', 'ReadMcpResource'])
      expect(isAnswered(tool)).toBe(false);
  });

  it('is found and taken back without its record, and beside a hook that somebody put to ours', () => {
    const home = testHome();
    home.install('claude');
    home.install('qwen');
    rmSync(join(home.userHome, '.graphs', 'installs.json'));
    const settings = join(home.userHome, '.claude', 'settings.json');
    const held = JSON.parse(readFileSync(settings, 'utf8'));
    held.hooks.Stop[0].hooks.push({ type: 'command', command: 'mine' });
    writeFileSync(settings, JSON.stringify(held));
    home.uninstall();
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toEqual({
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
    });
    expect(readFileSync(join(home.userHome, '.claude.json'), 'utf8')).toBe('{}\n');
    expect(existsSync(join(home.userHome, EXTENSION))).toBe(false);
  });

  it('is refused in a second scope, where every event would be recorded twice', () => {
    const home = testHome();
    home.install('qwen', 'project');
    expect(() => home.install('qwen')).toThrow(/every event would be recorded twice/);
    home.install('claude');
    home.uninstall('qwen');
    home.install('qwen');
    expect(() => home.install('qwen', 'project')).toThrow(/for all projects/);
  });

  it('names a file that broke since, and takes all others back', () => {
    const home = testHome();
    home.install('claude');
    const settings = join(home.userHome, '.claude', 'settings.json');
    const whole = readFileSync(settings, 'utf8');
    writeFileSync(settings, `${whole}}`);
    const { changes, refused } = home.uninstall();
    expect(refused.map(({ code }) => code)).toEqual(['INSTALL_REFUSED']);
    expect(changes).toHaveLength(1);
    expect(existsSync(join(home.userHome, '.claude.json'))).toBe(false);
    writeFileSync(settings, whole);
    expect(home.uninstall().refused).toEqual([]);
    expect(existsSync(settings)).toBe(false);
  });

  it('goes where the clients’ own variables say', () => {
    const home = testHome({ CLAUDE_CONFIG_DIR: '/nowhere/claude', QWEN_HOME: '~/q' });
    const [, server] = home.install('claude', 'user', {}, true);
    expect(server?.path).toBe('/nowhere/claude/.claude.json');
    expect(home.install('qwen')[0]?.path).toBe(
      join(home.userHome, 'q/extensions/codewalk/qwen-extension.json'),
    );
  });
});

describe('paths that are installed', () => {
  it('lead through a link that survives an update of the package', () => {
    const root = scratch();
    const version = join(root, 'node_modules/.pnpm/codewalk@1.2.3/node_modules/codewalk');
    mkdirSync(join(version, 'dist'), { recursive: true });
    symlinkSync(version, join(root, 'node_modules/codewalk'));
    expect(lastingPath(join(version, 'dist'))).toBe(join(root, 'node_modules/codewalk/dist'));
    expect(lastingPath(join(root, 'checkout/dist'))).toBe(join(root, 'checkout/dist'));
  });

  it('call the Node that the user calls, unless its link is one for this session', () => {
    const root = scratch();
    const real = join(root, 'Cellar/node/22.1.0/bin');
    for (const folder of [real, join(root, 'bin'), join(root, 'fnm_multishells/1/bin')])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(real, 'node'), '');
    for (const link of ['bin/node', 'fnm_multishells/1/bin/node'])
      symlinkSync(join(real, 'node'), join(root, link));
    const path = `${join(root, 'fnm_multishells/1/bin')}:${join(root, 'bin')}`;
    expect(lastingNode(join(real, 'node'), path)).toBe(join(root, 'bin/node'));
    expect(lastingNode('/usr/bin/env', '/nowhere:relative:')).toBe('/usr/bin/env');
  });
});

describe('what is printed for other clients', () => {
  const programs = { dist: '/a "b"/dist', node: '/n', home: null, version: '1' };
  const machine = { env: {}, userHome: '/home/u', cwd: '/', platform: 'linux' } as const;
  const printed = (name: string) => serverConfig(name, clientNamed(name), programs, machine);

  it('is JSON for most, also for one that nobody knows, and TOML for Codex', () => {
    for (const name of ['qwen', 'claude', 'gemini', 'cursor', 'aider'])
      expect(JSON.parse(printed(name).text)).toMatchObject({
        mcpServers: {
          codewalk: { command: '/n', args: ['/a "b"/dist/cli.js', 'mcp', '--format', 'markdown'] },
        },
      });
    expect(printed('codex').text).toBe(
      '[mcp_servers.codewalk]\ncommand = "/n"\nargs = ["/a \\"b\\"/dist/cli.js", "mcp", "--format", "markdown"]\n',
    );
    expect(parseYaml(printed('continue').text)).toMatchObject({
      mcpServers: [{ name: 'codewalk', command: '/n' }],
    });
  });

  it('names the files of all projects and of one', () => {
    expect(printed('qwen').where).toBe('~/.qwen/settings.json, or .qwen/settings.json of a project');
    expect(printed('codex').where).toBe('~/.codex/config.toml, or .codex/config.toml of a project');
    expect(printed('windsurf').where).toBe('~/.codeium/windsurf/mcp_config.json');
    expect(printed('aider').where).toBe('wherever aider keeps its servers of MCP');
  });
});

it('takes a line that a program did not end for its first one, and nothing for none', async () => {
  expect(await firstLineOf('printf', ['1.2.3'], '')).toMatchObject({ line: '1.2.3' });
  expect(await firstLineOf('printf', ['1\\n2\\n'], '')).toMatchObject({ line: '1' });
  await expect(firstLineOf('sh', ['-c', 'exit 3'], '')).rejects.toThrow('ended with 3 and printed nothing');
  await expect(firstLineOf('/nowhere', [], '')).rejects.toThrow('ENOENT');
});

it('does not wait longer than the deadline for what a program started and left behind', async () => {
  vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.timeout(500));
  onTestFinished(() => void vi.restoreAllMocks());
  await expect(firstLineOf('sh', ['-c', 'sleep 30 & exit 0'], '')).rejects.toThrow('in 10 seconds');
});
