import type { InstallableClient } from '../install/client.js';
import { SERVER_NAME } from '../install/entries.js';
import { claudeHooks, claudeServer } from './entries.js';
import { projectServers, projectSettings, userServers, userSettings } from './places.js';

/** Claude Code: hooks in its settings, the server in a file of its own. */
export const claudeClient: InstallableClient = {
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
