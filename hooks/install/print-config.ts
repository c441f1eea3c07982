import { claudeServer } from '../claude/entries.js';
import { qwenServer } from '../qwen/entries.js';
import { SERVER_NAME, type ServerEntry, serverCommand } from './entries.js';
import type { Programs } from './programs.js';

/** How one client is told of our server by hand. */
interface ServerConfig {
  /** Where it is pasted. */
  readonly where: string;
  /** Whole lines. */
  readonly text: string;
}

/** Makes a client's {@link ServerConfig}. */
type PrintServer = (programs: Programs) => ServerConfig;

/** Our server for Qwen Code. */
const printQwen: PrintServer = (programs) =>
  jsonConfig('~/.qwen/settings.json, or .qwen/settings.json of a project', qwenServer(programs));

/** Our server for Gemini CLI. */
const printGemini: PrintServer = (programs) =>
  jsonConfig('~/.gemini/settings.json, or .gemini/settings.json of a project', serverCommand(programs));

const printCursor: PrintServer = (programs) =>
  jsonConfig('~/.cursor/mcp.json, or .cursor/mcp.json of a project', serverCommand(programs));

/** Our server for Codex CLI, whose configuration is TOML: its basic strings are written as those of JSON. */
const printCodex: PrintServer = (programs) => {
  const { command, args } = serverCommand(programs);
  const list = args.map((argument) => JSON.stringify(argument)).join(', ');
  return {
    where: '~/.codex/config.toml',
    text: `[mcp_servers.${SERVER_NAME}]\ncommand = ${JSON.stringify(command)}\nargs = [${list}]\n`,
  };
};

/** Our server for Claude Code. */
const printClaude: PrintServer = (programs) =>
  jsonConfig('.mcp.json of a project, or ~/.claude.json', claudeServer(programs));

const PRINTS: ReadonlyMap<string, PrintServer> = new Map([
  ['claude', printClaude],
  ['codex', printCodex],
  ['cursor', printCursor],
  ['gemini', printGemini],
  ['qwen', printQwen],
]);

/** How a client is told of our server by hand; one that we do not know gets the form that most take. */
export function serverConfig(client: string, programs: Programs): ServerConfig {
  const print = PRINTS.get(client);
  return print
    ? print(programs)
    : jsonConfig(`wherever ${client} keeps its servers of MCP`, serverCommand(programs));
}

/** The form that most clients take: JSON, under `mcpServers`. */
function jsonConfig(where: string, server: ServerEntry): ServerConfig {
  return { where, text: `${JSON.stringify({ mcpServers: { [SERVER_NAME]: server } }, null, 2)}\n` };
}
