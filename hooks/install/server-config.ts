import { SERVER_NAME, type ServerEntry } from './entries.js';
import type { Programs } from './programs.js';

/** How one client is told of our server by hand. */
export interface ServerConfig {
  /** Where it is pasted. */
  readonly where: string;
  /** Whole lines. */
  readonly text: string;
}

/** Makes a client's {@link ServerConfig}. */
export type PrintServer = (programs: Programs) => ServerConfig;

/** The form that most clients take: JSON, under `mcpServers`. */
export function jsonConfig(where: string, server: ServerEntry): ServerConfig {
  return { where, text: `${JSON.stringify({ mcpServers: { [SERVER_NAME]: server } }, null, 2)}\n` };
}
