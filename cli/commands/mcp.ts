import { Command, Option } from 'commander';
import { MCP_DEFAULTS, MCP_FLAGS, MCP_FORMATS, type McpFlags } from '../mcp-flags.js';
import { profilesOf } from '../options.js';
import type { Session } from '../session.js';

interface McpCommandFlags extends McpFlags {
  readonly printConfig?: string;
}

/** `codewalk mcp`: the tools over stdio, for an agent. */
export function mcpCommand(session: Session): Command {
  const command = new Command('mcp')
    .description('Serve the walkers as MCP tools over stdio: the command that you give your agent.')
    .addOption(
      new Option(...MCP_FLAGS.profile)
        .argParser(profilesOf)
        .default(MCP_DEFAULTS.profile, MCP_DEFAULTS.profile.join()),
    )
    .addOption(new Option(...MCP_FLAGS.format).choices(MCP_FORMATS).default(MCP_DEFAULTS.format))
    .option(
      '--print-config <client>',
      'print what tells an agent of this server: claude, codex, cursor, gemini, qwen...',
    )
    .addOption(new Option(...MCP_FLAGS.client));
  return command.action(async () => {
    const flags: McpCommandFlags = command.optsWithGlobals();
    if (flags.printConfig !== undefined) {
      const { agentNamed, ownPrograms, serverConfig } = await import('../installing.js');
      const { where, text } = serverConfig(
        flags.printConfig,
        agentNamed(flags.printConfig),
        ownPrograms(flags.home),
      );
      session.terminal.out(text);
      if (!flags.quiet) session.terminal.err(`Put this into ${where}.\n`);
      return;
    }
    const { serveMcp } = await import('../serve-mcp.js');
    await serveMcp(session, flags);
  });
}
