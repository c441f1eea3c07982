import { harmless } from '../present/index.js';
import type { Told } from './told.js';

/** The output of a hook as Qwen Code and Claude Code take it: these keys and no other, the event as it came. */
export function hookSpecificOutput({ event }: Told, text: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName: event, additionalContext: harmless(text) } });
}
