import { resolve } from 'node:path';
import { agentNamed } from '../hooks/index.js';
import { packageVersion } from '../host/index.js';
import { serveStdio } from '../mcp/index.js';
import { DEFAULT_PROFILE } from '../schema/index.js';
import { EXIT } from './failure-text.js';
import { hostFor } from './host-for.js';
import { inSession } from './in-session.js';
import { leave } from './leave.js';
import { type McpFlags, plainMcpFlags } from './mcp-flags.js';
import type { Session } from './session.js';

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

/** Serves MCP over stdio until the client has gone. */
export function serveMcp({ terminal, own, signal }: Session, flags: McpFlags): Promise<void> {
  const {
    profile: profiles = [DEFAULT_PROFILE],
    format = 'json',
    root,
    home,
    force = false,
    deadline,
    client,
  } = flags;
  return serveStdio({
    version: packageVersion(),
    host: hostFor(flags),
    own,
    profiles,
    format,
    client: client === undefined ? null : { session: sessionOf(client) },
    root: root === undefined ? null : resolve(terminal.cwd, root),
    cwd: terminal.cwd,
    home,
    force,
    deadlineMs: deadline === undefined ? null : deadline * 1000,
    signal,
    write: terminal.write,
    leave: () => leave(0),
  });
}

/** The session of an agent that this server was started for; null where the agent does not say. */
function sessionOf(client: string): string | null {
  const variable = agentNamed(client)?.sessionVariable;
  return (variable && process.env[variable]) || null;
}
