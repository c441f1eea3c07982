import type { Agent } from './agent.js';
import { claude } from './claude/index.js';
import { qwen } from './qwen/index.js';

/** The agents whose payloads are understood. Adding one is adding its folder and a line here. */
export const AGENTS: readonly Agent[] = [qwen, claude];
