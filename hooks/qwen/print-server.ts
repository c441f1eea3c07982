import { jsonConfig, type PrintServer } from '../install/server-config.js';
import { qwenServer } from './entries.js';

/** Our server for Qwen Code. */
export const printQwen: PrintServer = (programs) =>
  jsonConfig('~/.qwen/settings.json, or .qwen/settings.json of a project', qwenServer(programs));
