import { join } from 'node:path';
import { LIMITS } from '../../schema/index.js';
import { type Agent, hookSpecificOutput, type Machine, outcomeWith } from '../agent.js';
import { MAY_HIDE_FAILURE } from '../install/entries.js';
import { at, jsonOrText, textsOf } from '../payload.js';

/** Codex CLI: hooks in a file of their own, the server in its TOML. Most of what it does is a command of a shell. */
export const codex: Agent = {
  name: 'codex',
  title: 'Codex CLI',
  program: 'codex',
  dialect: {
    tools: { Bash: 'shell', apply_patch: 'edit', update_plan: 'plan' },
    promptOf: ({ turn_id }) => turn_id || null,
    userTextOf: ({ prompt = '' }) => prompt,
    hidesExitCodes: true,
    outcomeOf: ({ tool_response: response }) =>
      outcomeWith({ success: true, stdout: textsOf(at(response, 'content')) ?? jsonOrText(response) }),
    // What has no event of its own has no other either.
    batchOf: () => [],
  },
  moments: { before: { edit: 'before_edit', shell: 'before_command' }, after: {} },
  wrap: hookSpecificOutput,
  events: [
    { event: 'SessionStart', answers: true },
    { event: 'UserPromptSubmit', answers: true },
    // The end of a patch that a shell is given is reported by no event.
    { event: 'PreToolUse', matcher: 'Bash|apply_patch', answers: true },
    { event: 'PostToolUse', answers: true, only: MAY_HIDE_FAILURE },
    { event: 'Stop', answers: false },
    { event: 'SessionEnd', answers: false },
  ],
  // Seconds: twice the longest deadline of a hook that answers.
  hook: { timeout: (2 * LIMITS.hookAnswer.max) / 1000 },
  server: {},
  note: 'Codex runs no hook before you have trusted it: it asks at its next start, or say /hooks.',
  projectNote: 'Codex reads the .codex folder of a project that you trust only.',
  userFile: (machine) => join(codexFolder(machine), 'config.toml'),
  hooksOff: { keys: ['features', 'hooks'], value: false },
  parts(root, { hooks, server }, machine) {
    const folder = root === null ? codexFolder(machine) : join(root, '.codex');
    return [
      { path: join(folder, 'hooks.json'), entries: { hooks } },
      { path: join(folder, 'config.toml'), entries: { server: { key: 'mcp_servers', entry: server } } },
    ];
  },
};

/** `CODEX_HOME` moves the folder. */
function codexFolder({ env, userHome }: Machine): string {
  return env.CODEX_HOME || join(userHome, '.codex');
}
