import { serverCommand } from '../install/entries.js';
import { jsonConfig, type PrintServer } from '../install/server-config.js';

/** Our server for Cursor. */
export const printCursor: PrintServer = (programs) =>
  jsonConfig('~/.cursor/mcp.json, or .cursor/mcp.json of a project', serverCommand(programs));
