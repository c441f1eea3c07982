import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../schema/index.js';
import {
  type Agent,
  type BatchedCall,
  hookSpecificOutput,
  type Machine,
  type Outcome,
  outcomeWith,
} from '../agent.js';
import type { LifecycleFields } from '../fields.js';
import { MAY_HIDE_FAILURE } from '../install/entries.js';
import { allLines, at, jsonOrText, linesOfPatch, textAt, textsOf } from '../payload.js';

/** Claude Code: hooks in its settings, the server in a file of its own. */
export const claude: Agent = {
  name: 'claude',
  title: 'Claude Code',
  program: 'claude',
  dialect: {
    tools: {
      Read: 'read',
      NotebookRead: 'read',
      Grep: 'search',
      Glob: 'search',
      LS: 'search',
      WebFetch: 'search',
      WebSearch: 'search',
      ToolSearch: 'search',
      Edit: 'edit',
      MultiEdit: 'edit',
      Write: 'edit',
      NotebookEdit: 'edit',
      Bash: 'shell',
      PowerShell: 'shell',
      TodoWrite: 'plan',
      EnterPlanMode: 'plan',
      ExitPlanMode: 'plan',
    },
    promptOf: ({ prompt_id }) => prompt_id || null,
    userTextOf: ({ prompt = '' }) => prompt,
    outcomeOf,
    batchOf,
  },
  // It remembers what it is given before a tool, so context comes before the edit.
  moments: { before: { edit: 'before_edit', shell: 'before_command' }, after: { read: 'read_history' } },
  wrap: hookSpecificOutput,
  // A failed edit is reported by PostToolBatch alone.
  events: [
    { event: 'SessionStart', answers: true },
    { event: 'UserPromptSubmit', answers: true },
    { event: 'PreToolUse', answers: true, matcher: 'Edit|MultiEdit|Write|NotebookEdit|Bash' },
    {
      event: 'PostToolUse',
      answers: true,
      matcher: '*',
      only: `"tool_name" *: *"(Read|NotebookRead)"|"tool_name" *: *"Bash".*(${MAY_HIDE_FAILURE})`,
    },
    { event: 'PostToolUseFailure', answers: true, matcher: '*' },
    { event: 'PostToolBatch', answers: true, keep: 'tool_use_error' },
    { event: 'Stop', answers: false },
    { event: 'SessionEnd', answers: false },
  ],
  // Seconds: twice the longest deadline of a hook that answers.
  hook: { timeout: (2 * LIMITS.hookAnswer.max) / 1000 },
  // It runs hooks where its shell stands, which an agent may leave the project with.
  folder: '$CLAUDE_PROJECT_DIR',
  server: { type: 'stdio' },
  sessionVariable: 'CLAUDE_CODE_SESSION_ID',
  projectNote: 'Claude Code asks once whether the server of .mcp.json may be used.',
  userFile: userSettings,
  hooksOff: { keys: ['disableAllHooks'], value: true },
  parts: (root, { hooks, server }, machine) => [
    {
      path: root === null ? userSettings(machine) : join(root, '.claude', 'settings.json'),
      entries: { hooks },
    },
    {
      path: root === null ? userServers(machine) : join(root, '.mcp.json'),
      entries: { server: { key: 'mcpServers', entry: server } },
    },
  ],
};

/** `CLAUDE_CONFIG_DIR` moves the folder. */
function userSettings({ env, userHome }: Machine): string {
  return join(env.CLAUDE_CONFIG_DIR || join(userHome, '.claude'), 'settings.json');
}

/** The file of the user's servers, among much else (read in the client's bundle). */
function userServers({ env, userHome }: Machine): string {
  const earlier = join(env.CLAUDE_CONFIG_DIR || join(userHome, '.claude'), '.config.json');
  return existsSync(earlier) ? earlier : join(env.CLAUDE_CONFIG_DIR || userHome, '.claude.json');
}

/** How a call ended that an event of its own reports. */
function outcomeOf(fields: LifecycleFields, failed: boolean): Outcome {
  const { tool_response: response, duration_ms, is_interrupt = false } = fields;
  const interrupted = is_interrupt || at(response, 'interrupted') === true;
  return {
    ...(failed ? failedWith(jsonOrText(fields.error)) : endedWith(response, interrupted)),
    interrupted,
    durationMs: duration_ms ?? null,
  };
}

/** Calls that were refused before they ran: no other event reports these. */
function batchOf({ tool_calls = [] }: LifecycleFields): BatchedCall[] {
  return tool_calls.flatMap((call) => {
    const said = jsonOrText(at(call, 'tool_response'));
    const refusal = /^\s*<tool_use_error>([\s\S]*?)(?:<\/tool_use_error>\s*)?$/u.exec(said)?.[1];
    const tool = textAt(call, 'tool_name');
    if (refusal === undefined || tool === null) return [];
    const outcome = failedWith(refusal);
    return [{ tool, input: at(call, 'tool_input'), id: textAt(call, 'tool_use_id'), outcome }];
  });
}

function endedWith(response: unknown, interrupted: boolean): Outcome {
  const content = contentOf(response);
  const patch = linesOfPatch(at(response, 'structuredPatch'));
  return outcomeWith({
    success: !interrupted,
    interrupted,
    stdout: printed(response),
    stderr: textAt(response, 'stderr') ?? '',
    lines: patch.length === 0 && textAt(response, 'type') === 'create' ? allLines(content ?? '') : patch,
    content,
  });
}

/** A shell's failure is `Exit code N`, and below it what was printed. */
function failedWith(error: string): Outcome {
  const shell = /^(?:Error: )?Exit code (\d+)(?:\n|$)/u.exec(error);
  if (!shell) return outcomeWith({ success: false, stderr: error });
  return outcomeWith({ success: false, stdout: error.slice(shell[0].length), exitCode: Number(shell[1]) });
}

/** Of an edit nothing: what it did stands in its parameters. */
function printed(response: unknown): string {
  const read = textAt(response, 'stdout') ?? textAt(response, 'file', 'content');
  if (read !== null) return read;
  if (at(response, 'structuredPatch') !== undefined) return '';
  return textsOf(at(response, 'content')) ?? jsonOrText(response);
}

/** What the file holds after an edit or a write. */
function contentOf(response: unknown): string | null {
  if (at(response, 'structuredPatch') === undefined) return null;
  const written = textAt(response, 'content');
  const original = textAt(response, 'originalFile');
  const [old, now] = [textAt(response, 'oldString'), textAt(response, 'newString')];
  if (written !== null || original === null) return written;
  if (!old || now === null || !original.includes(old)) return null;
  return at(response, 'replaceAll') === true
    ? original.replaceAll(old, () => now)
    : original.replace(old, () => now);
}
