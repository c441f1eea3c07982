import { serverCommand } from '../install/entries.js';
import { jsonConfig, type PrintServer } from '../install/server-config.js';

/** Our server for Gemini CLI. */
export const printGemini: PrintServer = (programs) =>
  jsonConfig('~/.gemini/settings.json, or .gemini/settings.json of a project', serverCommand(programs));
