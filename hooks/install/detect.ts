import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { toCodewalkError } from '../../schema/index.js';
import { CLIENTS } from '../agents/index.js';
import { isAgent, isOnPath } from './entries.js';
import { readInstalls } from './files.js';
import { type ChangedFile, type InstallOptions, install } from './install.js';

/** A client of this machine, and what an installation for all projects would do. */
export interface DetectedClient {
  readonly client: string;
  readonly title: string;
  /** Whether hooks of ours record what it does; else it gets the tools alone. */
  readonly hooks: boolean;
  /** Whether its command is on the PATH; null: it has none. */
  readonly program_found: boolean | null;
  /** The folder of its settings, where that is there. */
  readonly folder: string | null;
  readonly installed: boolean;
  /** The files that an installation would change. */
  readonly files: readonly ChangedFile[];
  /** Why there can be none; null: nothing is in the way. */
  readonly refused: string | null;
}

/** The clients whose command or settings are on this machine. Nothing is written. */
export function detectedClients(options: Omit<InstallOptions, 'root' | 'dryRun'>): DetectedClient[] {
  const { machine, home } = options;
  const recorded = new Set(readInstalls(home).map(({ client }) => client));
  return CLIENTS.flatMap((client): DetectedClient[] => {
    const { name, title, program } = client;
    const found = program === undefined ? null : isOnPath(program, machine.env.PATH ?? '');
    const file = client.userFile(machine);
    const folder = file !== null && existsSync(dirname(file)) ? dirname(file) : null;
    if (found !== true && folder === null) return [];
    const known = { client: name, title, hooks: isAgent(client), program_found: found, folder };
    try {
      const files = install(client, { ...options, root: null, dryRun: true });
      const changed = files.filter(({ change }) => change !== 'none');
      return [{ ...known, installed: changed.length === 0, files: changed, refused: null }];
    } catch (thrown) {
      const refused = toCodewalkError(thrown).message;
      return [{ ...known, installed: recorded.has(name), files: [], refused }];
    }
  });
}
