import { allLines, linesOfDiff } from '../changed-lines.js';
import type { Dialect } from '../lifecycle/dialect.js';
import type { LifecycleFields } from '../lifecycle/fields.js';
import { at, textAt } from '../read-payload.js';
import { jsonOrText, textsOf } from '../texts.js';
import type { Outcome } from '../told.js';
import { shellReport } from './shell-report.js';

/** How Qwen wraps the error of an MCP tool. */
const WRAPPED = /^MCP tool '[^']*' reported tool error for function call: [\s\S]*? with response: (?=\[)/u;

/** Longest that a call may have taken for its id to be believed: milliseconds. */
const DAY = 24 * 3600 * 1000;

/** What Qwen Code says in its own way. */
export const dialect: Dialect = {
  tools: {
    read_file: 'read',
    read_many_files: 'read',
    grep_search: 'search',
    search_file_content: 'search',
    glob: 'search',
    list_directory: 'search',
    web_fetch: 'search',
    web_search: 'search',
    lsp: 'search',
    tool_search: 'search',
    edit: 'edit',
    replace: 'edit',
    write_file: 'edit',
    notebook_edit: 'edit',
    run_shell_command: 'shell',
    todo_write: 'plan',
    enter_plan_mode: 'plan',
    exit_plan_mode: 'plan',
  },
  promptOf,
  // What a person typed; `prompt` holds what was made of it for the model.
  userTextOf: ({ submitted_prompt, prompt = '' }) => submitted_prompt || prompt,
  outcomeOf,
  // Every call fires an event of its own.
  batchOf: () => [],
};

/** A session that `/clear` opened names the last prompt of the one before, until it has its own. 0.15 names none. */
function promptOf({ prompt_id, session_id }: LifecycleFields): string | null {
  if (!prompt_id) return null;
  return session_id && !prompt_id.startsWith(session_id) ? null : prompt_id;
}

/**
 * How a call ended. A failing command is a failure's event in 0.24; in 0.15 it comes as any other, and its report says
 * how it ended.
 */
function outcomeOf(fields: LifecycleFields, failed: boolean): Outcome {
  const {
    tool_response: response,
    tool_use_id = '',
    timestamp = '',
    duration_ms,
    is_interrupt = false,
  } = fields;
  const told = failed
    ? jsonOrText(fields.error)
    : (textsOf(at(response, 'llmContent')) ?? jsonOrText(response));
  const report = shellReport(told);
  const tool = at(response, 'error') === undefined ? null : textsOf(at(response, 'error', 'message'));
  const success = !failed && tool === null && !report?.failed;
  const content = textAt(response, 'returnDisplay', 'newContent');
  const diff = textAt(response, 'returnDisplay', 'fileDiff');
  return {
    success,
    interrupted: is_interrupt || (report?.interrupted ?? false),
    stdout: report?.output ?? (success ? told : ''),
    stderr: report ? report.error : success ? '' : mcpErrorText(tool ?? told),
    exitCode: report?.exitCode ?? null,
    durationMs: duration_ms ?? null,
    startedAt: startedAt(tool_use_id, Date.parse(timestamp)),
    lines: diff === null ? allLines(content ?? '') : linesOfDiff(diff),
    content,
  };
}

/** The call's id holds when it was made: `toolu_<milliseconds>_<random>`. */
function startedAt(id: string, ended: number): number | null {
  const started = Number(/^toolu_(\d{13})_/u.exec(id)?.[1]);
  return started <= ended && started > ended - DAY ? started : null;
}

/** What an MCP tool itself said, where Qwen wrapped it in call and response; other texts as they are. */
function mcpErrorText(text: string): string {
  const wrapped = WRAPPED.exec(text.slice(0, 100_000))?.[0];
  if (wrapped === undefined) return text;
  try {
    const parts: unknown = JSON.parse(text.slice(wrapped.length));
    const [part]: unknown[] = Array.isArray(parts) ? parts : [];
    const response = at(part, 'functionResponse', 'response');
    return textsOf(at(response, 'error', 'content')) ?? textsOf(at(response, 'content')) ?? text;
  } catch {
    return text;
  }
}
