import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { claudeHooks, claudeServer } from '../claude/entries.js';
import { qwenClient } from '../qwen/client.js';
import type { InstallableClient, Machine } from './client.js';
import { SERVER_NAME } from './entries.js';

/** Claude Code: hooks in its settings, the server in a file of its own. */
const claudeClient: InstallableClient = {
  name: 'claude',
  title: 'Claude Code',
  version: ['claude', '--version'],
  projectNote: 'Claude Code asks once whether the server of .mcp.json may be used.',
  userSettings,
  parts: (root, programs, machine) => [
    {
      path: root === null ? userSettings(machine) : projectSettings(root),
      entries: { hooks: claudeHooks(programs) },
    },
    {
      path: root === null ? userServers(machine) : projectServers(root),
      entries: { mcpServers: { [SERVER_NAME]: claudeServer(programs, 'claude') } },
    },
  ],
};

/** The clients that have an installer, sorted by name. */
export const INSTALLABLE: readonly InstallableClient[] = [claudeClient, qwenClient];

/** The client of a name; undefined where there is no installer for it. */
export function installableClient(name: string): InstallableClient | undefined {
  return INSTALLABLE.find((client) => client.name === name);
}

/** Claude Code's own folder: `CLAUDE_CONFIG_DIR` moves it. */
function claudeFolder({ env, userHome }: Machine): string {
  return env.CLAUDE_CONFIG_DIR || join(userHome, '.claude');
}

/** The user's settings: hooks. */
function userSettings(machine: Machine): string {
  return join(claudeFolder(machine), 'settings.json');
}

/** Where Claude Code keeps its servers of MCP for the user, among much else (read in its bundle). */
function userServers(machine: Machine): string {
  const earlier = join(claudeFolder(machine), '.config.json');
  return existsSync(earlier)
    ? earlier
    : join(machine.env.CLAUDE_CONFIG_DIR || machine.userHome, '.claude.json');
}

/** The settings of a project: hooks. */
function projectSettings(root: string): string {
  return join(root, '.claude', 'settings.json');
}

/** The servers of MCP of a project. */
function projectServers(root: string): string {
  return join(root, '.mcp.json');
}
