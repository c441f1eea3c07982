import type { Agent, Client } from '../agent.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { copilot } from './copilot.js';
import { gemini } from './gemini.js';
import { MCP_CLIENTS } from './mcp-clients.js';
import { qwen } from './qwen.js';

/** The agents that are known, sorted by name. Adding one is adding its file and a line here. */
export const AGENTS: readonly Agent[] = [claude, codex, copilot, gemini, qwen];

/** The agent of a name; undefined where it is not known. */
export function agentNamed(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name);
}

/** Every client that can be installed for, sorted by name. */
export const CLIENTS: readonly Client[] = [...AGENTS, ...MCP_CLIENTS].sort((a, b) =>
  a.name < b.name ? -1 : 1,
);

/** The client of a name; undefined where it is not known. */
export function clientNamed(name: string): Client | undefined {
  return CLIENTS.find((client) => client.name === name);
}
