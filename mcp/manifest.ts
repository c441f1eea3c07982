import { readFileSync } from 'node:fs';
import type { ListedTool } from './tool.js';

/** The tools of the built-in walkers, in the order of their registry, as the build wrote them down. */
export function builtInTools(): readonly ListedTool[] {
  // Beside whatever part of the build this code is in.
  return JSON.parse(readFileSync(new URL('./tools.json', import.meta.url), 'utf8'));
}
