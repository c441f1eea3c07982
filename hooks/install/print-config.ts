import { printClaude } from '../claude/print-server.js';
import { printCodex } from '../codex/print-server.js';
import { printCursor } from '../cursor/print-server.js';
import { printGemini } from '../gemini/print-server.js';
import { printQwen } from '../qwen/print-server.js';
import { serverCommand } from './entries.js';
import type { Programs } from './programs.js';
import { jsonConfig, type PrintServer, type ServerConfig } from './server-config.js';

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
