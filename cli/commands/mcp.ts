import { Command, InvalidArgumentError, Option } from 'commander';
import { PROFILES, type Profile } from '../../schema/index.js';
import { MCP_DEFAULTS, MCP_FLAGS, MCP_FORMATS, type McpFlags, profilesIn } from '../mcp-flags.js';
import type { Session } from '../session.js';

/** `codewalk mcp`: the tools over stdio, for an agent. */
export function mcpCommand(session: Session): Command {
  const command = new Command('mcp')
    .description('Serve the walkers as MCP tools over stdio: the command that you give your agent.')
    .addOption(
      new Option(...MCP_FLAGS.profile)
        .argParser(profilesOf)
        .default(MCP_DEFAULTS.profile, MCP_DEFAULTS.profile.join()),
    )
    .addOption(new Option(...MCP_FLAGS.format).choices(MCP_FORMATS).default(MCP_DEFAULTS.format));
  return command.action(async () => {
    const flags: McpFlags = command.optsWithGlobals();
    const { serveMcp } = await import('../serve-mcp.js');
    await serveMcp(session, flags);
  });
}

function profilesOf(text: string): Profile[] {
  const profiles = profilesIn(text);
  if (profiles) return profiles;
  throw new InvalidArgumentError(`Profiles are ${Object.keys(PROFILES).join(', ')}.`);
}
