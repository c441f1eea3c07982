import { z } from 'zod';
import { type Profile, profilesIn } from '../../schema/index.js';
import type { InstallableClient, Machine, Part } from './client.js';
import { profileFlag } from './entries.js';
import { bytesAt } from './place.js';
import type { Programs } from './programs.js';
import { entriesIn, type FoundEntries } from './settings-entries.js';

/** What an installation has a client run. */
export interface WantedCommands {
  readonly hooks: readonly {
    readonly event: string;
    /** For which tools; null: for all, or the event has none. */
    readonly matcher: string | null;
    /** As a shell takes it. */
    readonly command: string;
  }[];
  /** The server of MCP: a program and its arguments. */
  readonly server: readonly string[];
}

const Groups = z.array(
  z.object({
    matcher: z.string().nullable().default(null),
    hooks: z.array(z.object({ command: z.string() })),
  }),
);
const Server = z.object({ command: z.string(), args: z.array(z.string()) });

/** What of ours belongs into a part of an installation. */
export function wantedOf(part: Part): FoundEntries {
  if ('entries' in part) return part.entries;
  return part.path.endsWith('.json') ? entriesIn(part.path, Buffer.from(part.text)) : {};
}

/** The profiles that an installed server names; none where it has the default, or is not installed. */
export function installedProfiles(
  client: InstallableClient,
  root: string | null,
  programs: Programs,
  machine: Machine,
): readonly Profile[] {
  const servers = client.parts(root, programs, machine).flatMap(({ path }) => {
    const bytes = path.endsWith('.json') ? bytesAt(path) : null;
    return bytes === null ? [] : Object.values(entriesIn(path, bytes).mcpServers ?? {});
  });
  return servers.flatMap((server) => profilesIn(profileFlag(server) ?? '') ?? []);
}

/** The commands of an installation for all projects (null) or for one. */
export function wantedCommands(
  client: InstallableClient,
  root: string | null,
  programs: Programs,
  machine: Machine,
): WantedCommands {
  const wanted = client.parts(root, programs, machine).map(wantedOf);
  const events = wanted.flatMap(({ hooks = {} }) => Object.entries(hooks));
  const hooks = events.flatMap(([event, groups]) =>
    Groups.parse(groups).flatMap(({ matcher, hooks: commands }) =>
      commands.map(({ command }) => ({ event, matcher, command })),
    ),
  );
  const servers = wanted.flatMap(({ mcpServers = {} }) => Object.values(mcpServers));
  const server = servers.map((one) => Server.parse(one)).flatMap(({ command, args }) => [command, ...args]);
  return { hooks, server };
}
