import { jsonConfig, type PrintServer } from '../install/server-config.js';
import { claudeServer } from './entries.js';

/** Our server for Claude Code. */
export const printClaude: PrintServer = (programs) =>
  jsonConfig('.mcp.json of a project, or ~/.claude.json', claudeServer(programs));
