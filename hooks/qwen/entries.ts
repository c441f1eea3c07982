import { type HookGroup, hookCommand, type ServerEntry, serverCommand } from '../install/entries.js';
import type { Programs } from '../install/programs.js';

/** Milliseconds in both version families: 0.24 counts in seconds, but takes 1000 and more as milliseconds. */
const TIMEOUT = 5000;

/** The events that are hooked. PreToolUse is none: its context never reaches the model, and PostToolUse tells all it does. */
const EVENTS: readonly { readonly event: string; readonly answers: boolean; readonly tools?: true }[] = [
  { event: 'SessionStart', answers: true },
  { event: 'UserPromptSubmit', answers: true },
  { event: 'PostToolUse', answers: true, tools: true },
  { event: 'PostToolUseFailure', answers: true, tools: true },
  { event: 'Stop', answers: false },
  { event: 'SubagentStop', answers: false },
  { event: 'SessionEnd', answers: false },
];

/** The hooks of Qwen Code, by event. */
export function qwenHooks(programs: Programs): Record<string, readonly HookGroup[]> {
  return Object.fromEntries(
    EVENTS.map(({ event, answers, tools }) => {
      const command = hookCommand('qwen', answers, programs);
      const hook = { type: 'command', name: 'codewalk', command, timeout: TIMEOUT } as const;
      return [event, [{ ...(tools ? { matcher: '*' } : {}), hooks: [hook] }]];
    }),
  );
}

/** Our server as Qwen Code takes it: 0.24 hides the tools of others behind a search. */
export function qwenServer(programs: Programs): ServerEntry {
  return { ...serverCommand(programs), alwaysLoadTools: true };
}
