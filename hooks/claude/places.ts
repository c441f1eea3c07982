import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../install/client.js';

/** Claude Code's own folder: `CLAUDE_CONFIG_DIR` moves it. */
function claudeFolder({ env, userHome }: Machine): string {
  return env.CLAUDE_CONFIG_DIR || join(userHome, '.claude');
}

/** The user's settings: hooks. */
export function userSettings(machine: Machine): string {
  return join(claudeFolder(machine), 'settings.json');
}

/** Where Claude Code keeps its servers of MCP for the user, among much else (read in its bundle). */
export function userServers(machine: Machine): string {
  const earlier = join(claudeFolder(machine), '.config.json');
  return existsSync(earlier)
    ? earlier
    : join(machine.env.CLAUDE_CONFIG_DIR || machine.userHome, '.claude.json');
}

/** The settings of a project: hooks. */
export function projectSettings(root: string): string {
  return join(root, '.claude', 'settings.json');
}

/** The servers of MCP of a project. */
export function projectServers(root: string): string {
  return join(root, '.mcp.json');
}
