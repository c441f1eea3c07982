import type { HookText } from '../host/index.js';
import { harmless } from '../present/index.js';
import type { Told } from './told.js';

/**
 * The output of a hook as Qwen Code and Claude Code take it: these keys and no other, the event as it came. What is in
 * `systemMessage` is shown to the person and does not reach the model.
 */
export function hookSpecificOutput({ event }: Told, { text, notice }: HookText): string {
  const context = text === null ? null : { hookEventName: event, additionalContext: harmless(text) };
  return JSON.stringify({
    ...(notice === null ? {} : { systemMessage: harmless(notice) }),
    ...(context === null ? {} : { hookSpecificOutput: context }),
  });
}
