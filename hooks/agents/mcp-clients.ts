import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Client, Entries, Machine, ServerCommand, ServerEntry } from '../agent.js';

/** A client that is given our server and has no hooks of ours. */
interface Row {
  readonly name: string;
  readonly title: string;
  /** Its command; left out: it has none. */
  readonly program?: string;
  /** Its settings for all projects; null: there are none on this system. */
  user(machine: Machine): string | null;
  /** Those in a project; left out: it has none. */
  readonly project?: string;
  readonly key: NonNullable<Entries['server']>['key'];
  /** A list of servers, and no names. */
  readonly listed?: true;
  /** How it writes a server; left out: as most do. */
  readonly entry?: (server: ServerCommand) => ServerEntry;
  readonly note?: string;
  /** Its settings need more than our entry: we do not make the file. */
  readonly awaited?: true;
}

/** The settings of most programs: `XDG_CONFIG_HOME` moves them. */
const config = ({ env, userHome }: Machine) => env.XDG_CONFIG_HOME || join(userHome, '.config');

/** Where applications with windows have theirs. */
function applications(machine: Machine): string {
  const { env, userHome, platform } = machine;
  if (platform === 'darwin') return join(userHome, 'Library', 'Application Support');
  return platform === 'win32' ? env.APPDATA || join(userHome, 'AppData', 'Roaming') : config(machine);
}

/** The name with comments in it, where a client reads both and the user has that one. */
const either = (json: string) => (existsSync(`${json}c`) ? `${json}c` : json);

/*
 * Where each fact comes from: seen with the real client (OpenCode 1.18, Cline CLI 3.0), else the vendor's pages, read in
 * November 2026: cursor.com/docs/mcp, docs.windsurf.com/windsurf/cascade/mcp, code.visualstudio.com (MCP configuration
 * reference), zed.dev/docs/ai/mcp, modelcontextprotocol.io/quickstart/user (Claude Desktop), docs.continue.dev (MCP),
 * block.github.io/goose (configuration files), kiro.dev/docs/mcp/configuration, junie.jetbrains.com (MCP configuration),
 * ampcode.com (settings). JetBrains AI Assistant takes servers in its dialog alone; Pi takes none.
 */
const ROWS: readonly Row[] = [
  {
    name: 'amp',
    title: 'Amp',
    program: 'amp',
    user: (machine) => either(join(machine.userHome, '.config', 'amp', 'settings.json')),
    project: '.amp/settings.json',
    key: 'amp.mcpServers',
    note: 'Amp asks before it uses a server of a project.',
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    user: (machine) =>
      machine.platform === 'darwin' || machine.platform === 'win32'
        ? join(applications(machine), 'Claude', 'claude_desktop_config.json')
        : null,
    key: 'mcpServers',
  },
  {
    name: 'cline',
    title: 'Cline',
    program: 'cline',
    user: ({ userHome }) => join(userHome, '.cline', 'data', 'settings', 'cline_mcp_settings.json'),
    key: 'mcpServers',
    entry: (server) => ({ ...server, disabled: false, autoApprove: [] }),
    note: 'This is for the Cline CLI. Its extension of VS Code has a list of servers of its own.',
  },
  {
    name: 'continue',
    title: 'Continue',
    program: 'cn',
    user: ({ userHome }) => join(userHome, '.continue', 'config.yaml'),
    key: 'mcpServers',
    listed: true,
    awaited: true,
    entry: (server) => ({ name: 'codewalk', type: 'stdio', ...server }),
  },
  {
    name: 'cursor',
    title: 'Cursor',
    program: 'cursor',
    user: ({ userHome }) => join(userHome, '.cursor', 'mcp.json'),
    project: '.cursor/mcp.json',
    key: 'mcpServers',
  },
  {
    name: 'goose',
    title: 'Goose',
    program: 'goose',
    user: (machine) =>
      machine.platform === 'win32'
        ? join(applications(machine), 'Block', 'goose', 'config', 'config.yaml')
        : join(machine.userHome, '.config', 'goose', 'config.yaml'),
    key: 'extensions',
    entry: ({ command, args }) => ({
      name: 'codewalk',
      description: 'Code graph and memory of this project',
      type: 'stdio',
      enabled: true,
      cmd: command,
      args,
      timeout: 300,
    }),
  },
  {
    name: 'junie',
    title: 'Junie',
    program: 'junie',
    user: ({ userHome }) => join(userHome, '.junie', 'mcp', 'mcp.json'),
    project: '.junie/mcp/mcp.json',
    key: 'mcpServers',
  },
  {
    name: 'kiro',
    title: 'Kiro',
    program: 'kiro',
    user: ({ userHome }) => join(userHome, '.kiro', 'settings', 'mcp.json'),
    project: '.kiro/settings/mcp.json',
    key: 'mcpServers',
  },
  {
    name: 'opencode',
    title: 'OpenCode',
    program: 'opencode',
    user: (machine) => either(join(config(machine), 'opencode', 'opencode.json')),
    project: 'opencode.json',
    key: 'mcp',
    entry: ({ command, args }) => ({ type: 'local', command: [command, ...args], enabled: true }),
  },
  {
    name: 'vscode',
    title: 'VS Code',
    program: 'code',
    user: (machine) => join(applications(machine), 'Code', 'User', 'mcp.json'),
    project: '.vscode/mcp.json',
    key: 'servers',
    entry: (server) => ({ type: 'stdio', ...server }),
    note: 'VS Code asks whether the server may be trusted when it first starts it.',
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    program: 'windsurf',
    user: ({ userHome }) => join(userHome, '.codeium', 'windsurf', 'mcp_config.json'),
    key: 'mcpServers',
  },
  {
    name: 'zed',
    title: 'Zed',
    program: 'zed',
    user: (machine) =>
      machine.platform === 'win32'
        ? join(applications(machine), 'Zed', 'settings.json')
        : join(
            machine.platform === 'darwin' ? join(machine.userHome, '.config') : config(machine),
            'zed',
            'settings.json',
          ),
    key: 'context_servers',
  },
];

/** The clients that take our server alone, sorted by name. */
export const MCP_CLIENTS: readonly Client[] = ROWS.map(clientOf);

function clientOf({ name, title, program, user, project, key, listed, entry, note, awaited }: Row): Client {
  return {
    name,
    title,
    ...(program === undefined ? {} : { program }),
    ...(note === undefined ? {} : { note }),
    userFile: user,
    parts(root, ours, machine) {
      const path = root === null ? user(machine) : project === undefined ? null : join(root, project);
      const server = { command: ours.server.command, args: ours.server.args };
      const list = listed === undefined ? {} : { listed };
      if (path === null) return [];
      const entries = { server: { key, entry: entry?.(server) ?? server, ...list } };
      return [{ path, entries, ...(awaited === undefined ? {} : { awaited }) }];
    },
  };
}
