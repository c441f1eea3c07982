import { join } from 'node:path';
import { type Agent, type Outcome, oneFile, outcomeWith } from '../agent.js';
import { MAY_HIDE_FAILURE } from '../install/entries.js';
import { at, textsOf } from '../payload.js';
import { outcomeBy, qwen } from './qwen.js';

/** Gemini CLI, from which Qwen Code comes: its tools are much the same, its events have names of their own. */
export const gemini: Agent = {
  name: 'gemini',
  title: 'Gemini CLI',
  program: 'gemini',
  dialect: {
    events: {
      BeforeAgent: 'UserPromptSubmit',
      BeforeTool: 'PreToolUse',
      AfterTool: 'PostToolUse',
      AfterAgent: 'Stop',
    },
    tools: { ...qwen.dialect.tools, google_web_search: 'search', write_todos: 'plan' },
    promptOf: () => null,
    // In headless runs what hooks said at the session's start stands before the prompt.
    userTextOf: ({ prompt = '' }) => prompt.replace(/^<hook_context>[\s\S]*?<\/hook_context>\s*/u, ''),
    outcomeOf(fields) {
      const { tool_response: response } = fields;
      const said = textsOf(at(response, 'llmContent')) ?? '';
      const llmContent = /^<untrusted_context>\n([\s\S]*)\n<\/untrusted_context>$/u.exec(said)?.[1] ?? said;
      return outcomeBy(shellReport, { ...fields, tool_response: { ...Object(response), llmContent } }, false);
    },
    batchOf: () => [],
  },
  // Nothing reaches the model before a tool.
  moments: qwen.moments,
  wrap: qwen.wrap,
  events: [
    { event: 'SessionStart', answers: true },
    { event: 'BeforeAgent', answers: true },
    {
      event: 'AfterTool',
      answers: true,
      only: `"tool_name" *: *"(read_file|read_many_files|replace|write_file)"|Exit Code: -?[1-9]|${MAY_HIDE_FAILURE}`,
    },
    { event: 'AfterAgent', answers: false },
    { event: 'SessionEnd', answers: false },
  ],
  // It counts in milliseconds.
  hook: qwen.hook,
  server: {},
  projectNote: 'Gemini CLI runs the hooks of a project in trusted folders only.',
  userFile: ({ env, userHome }) => join(env.GEMINI_CLI_HOME || userHome, '.gemini', 'settings.json'),
  hooksOff: { keys: ['hooksConfig', 'enabled'], value: false },
  parts: (root, ours, machine) =>
    oneFile(root === null ? gemini.userFile(machine) : join(root, '.gemini', 'settings.json'), ours),
};

/** Lines behind what a command printed, the last of which is always there. */
const LINE = /^(Error|Exit Code|Signal|Background PIDs|Process Group PGID): (.*)$/u;

/** Takes the shell's own words off what a command printed. It names what is not as usual alone: no `Exit Code: 0`. */
function shellReport(text: string): Outcome | null {
  if (!text.startsWith('Output: ')) return null;
  const lines = text.slice('Output: '.length).split('\n');
  const said = new Map<string, string>();
  for (;;) {
    const [, name, value = ''] = LINE.exec(lines.at(-1) ?? '') ?? [];
    if (name === undefined || said.has(name)) break;
    said.set(name, value);
    lines.pop();
  }
  if (!said.has('Process Group PGID')) return null;
  const exitCode = said.has('Signal') ? null : Number(said.get('Exit Code') ?? 0);
  const stdout = lines.join('\n');
  return outcomeWith({
    success: exitCode === 0 && !said.has('Error'),
    stdout: stdout === '(empty)' ? '' : stdout,
    stderr: said.get('Error') ?? '',
    exitCode,
  });
}
