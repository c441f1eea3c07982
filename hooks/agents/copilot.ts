import { join } from 'node:path';
import { harmless } from '../../present/index.js';
import { LIMITS } from '../../schema/index.js';
import { type Agent, type Machine, type Ours, type Outcome, outcomeWith, WRITTEN_BY } from '../agent.js';
import type { LifecycleFields } from '../fields.js';
import { MAY_HIDE_FAILURE } from '../install/entries.js';
import { jsonOrText, textAt } from '../payload.js';
import { claude } from './claude.js';

/** GitHub Copilot CLI: the events and tools of Claude Code, results in a form of its own, hooks in a file that is ours. */
export const copilot: Agent = {
  name: 'copilot',
  title: 'GitHub Copilot CLI',
  program: 'copilot',
  dialect: {
    tools: claude.dialect.tools,
    promptOf: () => null,
    userTextOf: ({ prompt = '' }) => prompt,
    outcomeOf,
    batchOf: () => [],
  },
  moments: claude.moments,
  // Some of its events take context at the top, and others inside.
  wrap(event, { text }) {
    if (text === null) return '';
    const additionalContext = harmless(text);
    return JSON.stringify({
      additionalContext,
      hookSpecificOutput: { hookEventName: event, additionalContext },
    });
  },
  events: [
    { event: 'SessionStart', answers: true },
    { event: 'UserPromptSubmit', answers: true },
    { event: 'PreToolUse', answers: true, keep: '"tool_name" *: *"(Edit|Write|Bash)"' },
    {
      event: 'PostToolUse',
      answers: true,
      only: `"tool_name" *: *"Read"|exit code -?[1-9]|${MAY_HIDE_FAILURE}`,
    },
    { event: 'PostToolUseFailure', answers: true },
    { event: 'Stop', answers: false },
    { event: 'SessionEnd', answers: false },
  ],
  // Seconds: twice the longest deadline of a hook that answers.
  hook: { timeout: (2 * LIMITS.hookAnswer.max) / 1000 },
  server: { type: 'local', tools: ['*'] },
  projectNote: 'Copilot reads the hooks of a project in trusted folders only.',
  userFile: (machine) => join(copilotFolder(machine), 'settings.json'),
  parts: (root, ours, machine) => [
    hooksPart(root === null ? copilotFolder(machine) : join(root, '.github'), ours),
    {
      path:
        root === null ? join(copilotFolder(machine), 'mcp-config.json') : join(root, '.github', 'mcp.json'),
      entries: { server: { key: 'mcpServers', entry: ours.server } },
    },
  ],
};

/** `COPILOT_HOME` moves the folder. */
function copilotFolder({ env, userHome }: Machine): string {
  return env.COPILOT_HOME || join(userHome, '.copilot');
}

/** Every JSON of the folder is read: ours has hooks alone, without groups. */
function hooksPart(root: string, ours: Ours) {
  const hooks = Object.entries(ours.hooks).map(([event, groups]) => {
    const commands = groups.flatMap((group) => group.hooks);
    const own = ({ command, timeout }: (typeof commands)[number]) => {
      return { type: 'command', bash: `${command} # ${WRITTEN_BY}`, timeoutSec: timeout };
    };
    return [event, commands.map(own)] as const;
  });
  const folder = join(root, 'hooks');
  const text = `${JSON.stringify({ version: 1, hooks: Object.fromEntries(hooks) }, null, 2)}\n`;
  return { path: join(folder, 'codewalk.json'), folder, text };
}

/** A failing command ends as any other, with its exit code in the last line. */
function outcomeOf({ tool_result: result, error }: LifecycleFields, failed: boolean): Outcome {
  if (failed) return outcomeWith({ success: false, stderr: jsonOrText(error) });
  const said = textAt(result, 'text_result_for_llm') ?? jsonOrText(result);
  const line = said.lastIndexOf('<shellId: ');
  const code = /^<shellId: [^\n>]*exit code (-?\d+)>\s*$/u.exec(line < 0 ? '' : said.slice(line))?.[1];
  const success = (textAt(result, 'result_type') ?? 'success') === 'success';
  if (code === undefined) return outcomeWith(success ? { success, stdout: said } : { success, stderr: said });
  return outcomeWith({
    success: success && Number(code) === 0,
    stdout: said.slice(0, line),
    exitCode: Number(code),
  });
}
