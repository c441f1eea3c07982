import { resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { packageVersion } from '../../host/index.js';
import { PROFILES, type Profile } from '../../schema/index.js';
import { hostFor } from '../host-for.js';
import type { GlobalFlags, Session } from '../session.js';
import { leave } from '../watchdog/heartbeat.js';

interface McpFlags extends GlobalFlags {
  readonly profile: readonly Profile[];
  readonly format: 'json' | 'markdown';
}

/** `codewalk mcp`: the tools over stdio, for an agent. */
export function mcpCommand(session: Session): Command {
  const { terminal, own, heartbeat } = session;
  const command = new Command('mcp')
    .description('Serve the walkers as MCP tools over stdio: the command that you give your agent.')
    .addOption(
      new Option(
        '--profile <names>',
        `which tools to list: ${Object.keys(PROFILES).join(', ')}; several with commas`,
      )
        .argParser(profilesOf)
        .default(['core'], 'core'),
    )
    .addOption(
      new Option('--format <format>', 'json: answers with schemas; markdown: less for a model to read')
        .choices(['json', 'markdown'])
        .default('json'),
    );
  return command.action(async () => {
    const flags: McpFlags = command.optsWithGlobals();
    const { serveStdio } = await import('../../mcp/index.js');
    await serveStdio({
      version: packageVersion(),
      host: hostFor(flags),
      own,
      profiles: flags.profile,
      format: flags.format,
      root: flags.root === undefined ? null : resolve(terminal.cwd, flags.root),
      cwd: terminal.cwd,
      home: flags.home,
      force: flags.force ?? false,
      deadlineMs: flags.deadline === undefined ? null : flags.deadline * 1000,
      signal: session.signal,
      write: terminal.out,
      leave: () => leave(0),
      watch: (walker, request, body) => heartbeat.watch(`the walker '${walker}'`, body, { request }),
    });
  });
}

function profilesOf(text: string): Profile[] {
  return text.split(',').map((part) => {
    const name = part.trim();
    if (isProfile(name)) return name;
    throw new InvalidArgumentError(`Profiles are ${Object.keys(PROFILES).join(', ')}.`);
  });
}

function isProfile(name: string): name is Profile {
  return Object.hasOwn(PROFILES, name);
}
