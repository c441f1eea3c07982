import { SERVER_NAME, serverCommand } from '../install/entries.js';
import type { PrintServer } from '../install/server-config.js';

/** Our server for Codex CLI, whose configuration is TOML: its basic strings are written as those of JSON. */
export const printCodex: PrintServer = (programs) => {
  const { command, args } = serverCommand(programs);
  const list = args.map((argument) => JSON.stringify(argument)).join(', ');
  return {
    where: '~/.codex/config.toml',
    text: `[mcp_servers.${SERVER_NAME}]\ncommand = ${JSON.stringify(command)}\nargs = [${list}]\n`,
  };
};
