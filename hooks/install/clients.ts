import { claudeClient } from '../claude/client.js';
import { qwenClient } from '../qwen/client.js';
import type { InstallableClient } from './client.js';

/** The clients that have an installer, sorted by name. */
export const INSTALLABLE: readonly InstallableClient[] = [claudeClient, qwenClient];

/** The client of a name; undefined where there is no installer for it. */
export function installableClient(name: string): InstallableClient | undefined {
  return INSTALLABLE.find((client) => client.name === name);
}
