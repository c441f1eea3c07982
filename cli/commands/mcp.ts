import { commandSpec } from '../command.js';
import { MCP_FLAGS } from '../mcp-flags.js';

const [PROFILE, FORMAT, CLIENT] = MCP_FLAGS;

/** `codewalk mcp`: the tools over stdio, for an agent. */
export const mcpCommand = commandSpec({
  name: 'mcp',
  description: 'Serve the walkers as MCP tools over stdio: the command that you give your agent.',
  flags: [
    PROFILE,
    FORMAT,
    [
      '--print-config <client>',
      'print what tells an agent of this server: claude, codex, cursor, gemini, qwen...',
    ],
    CLIENT,
  ],
  async run({ session, flags }) {
    if (flags.printConfig === undefined) {
      const { serveMcp } = await import('../serve-mcp.js');
      await serveMcp(session, flags);
      return null;
    }
    const { agentNamed, ownPrograms, serverConfig } = await import('../installing.js');
    const client = flags.printConfig;
    const { where, text } = serverConfig(client, agentNamed(client), ownPrograms(flags.home));
    session.terminal.out(text);
    if (!flags.quiet) session.terminal.err(`Put this into ${where}.\n`);
    return null;
  },
});
