import type { Agent } from '../agent.js';
import { claude } from './claude.js';
import { codex } from './codex.js';
import { gemini } from './gemini.js';
import { qwen } from './qwen.js';

/** The agents that are known, sorted by name. Adding one is adding its file and a line here. */
export const AGENTS: readonly Agent[] = [claude, codex, gemini, qwen];

/** The agent of a name; undefined where it is not known. */
export function agentNamed(name: string): Agent | undefined {
  return AGENTS.find((agent) => agent.name === name);
}
