import { resolve } from 'node:path';
import { agentNamed } from '../hooks/index.js';
import { type Host, packageVersion } from '../host/index.js';
import { type McpApps, serveStdio } from '../mcp/index.js';
import { DEFAULT_PROFILE } from '../schema/index.js';
import type { Handler } from './commands.js';
import { type McpFlags, plainMcpFlags } from './flags.js';
import { inSession } from './run.js';
import { EXIT, hostFor, type Session } from './session.js';
import { leave } from './terminal.js';

/**
 * `codewalk mcp` where the command line is a plain one.
 *
 * @returns the exit code; null where the parser of the program has to explain something.
 */
export async function servePlainly(argv: readonly string[]): Promise<number | null> {
  const flags = plainMcpFlags(argv.slice(1));
  if (flags === null) return null;
  return inSession(argv, async (session) => {
    await serveMcp(session, flags);
    return EXIT.ok;
  });
}

/** The tools over stdio, or how a client is configured for them. */
export const mcp: Handler<'mcp'> = async ({ session, flags }) => {
  const client = flags.printConfig;
  if (client === undefined) {
    await serveMcp(session, flags);
    return null;
  }
  const { printedConfig } = await import('./commands/agents.js');
  const { where, text } = printedConfig(client, flags.home);
  session.terminal.out(text);
  if (!flags.quiet) session.terminal.err(`Put this into ${where}.\n`);
  return null;
};

/** Serves MCP over stdio until the client has gone. */
function serveMcp({ terminal, own, signal }: Session, flags: McpFlags): Promise<void> {
  const { root, deadline, client } = flags;
  const variable = client === undefined ? undefined : agentNamed(client)?.sessionVariable;
  const host = hostFor(flags);
  return serveStdio({
    version: packageVersion(),
    host,
    own,
    profiles: flags.profile ?? [DEFAULT_PROFILE],
    format: flags.format ?? 'json',
    client: client === undefined ? null : { session: (variable && process.env[variable]) || null },
    root: root === undefined ? null : resolve(terminal.cwd, root),
    cwd: terminal.cwd,
    home: flags.home,
    force: flags.force ?? false,
    deadlineMs: deadline === undefined ? null : deadline * 1000,
    apps: flags.apps ? lateApps(host, own, flags) : null,
    signal,
    write: terminal.write,
    leave: () => leave(0),
  });
}

/** The explorer inside a chat. It is loaded with the first page: a server must start fast. */
function lateApps(host: Host, own: Session['own'], flags: McpFlags): McpApps {
  const explorer = () => import('./commands/explore.js');
  return {
    page: async () => (await explorer()).appPage(),
    view: async (root, path, options) =>
      (await explorer()).explorerApi(host, root, own, flags).view(path, options),
  };
}
