import { allLines, linesOfDiff } from '../changed-lines.js';
import type { Dialect } from '../lifecycle/dialect.js';
import type { LifecycleFields } from '../lifecycle/fields.js';
import { at, textAt } from '../read-payload.js';
import { jsonOrText, textsOf } from '../texts.js';
import type { Outcome } from '../told.js';

/** What Qwen's shell tool says of a command. */
interface ShellReport {
  /** What it printed, both streams. */
  readonly output: string;
  /** Why it could not be run or ended; empty: nothing was said. */
  readonly error: string;
  readonly exitCode: number | null;
  readonly failed: boolean;
  readonly interrupted: boolean;
}

/** The lines behind the output, in their order. */
const AFTER = /\nError: ([^\n]*(?:\n(?!Exit Code: )[^\n]*)*)\nExit Code: ([^\n]+)\nSignal: ([^\n]+)/gu;
/** Characters at the end in which they stand. */
const TAIL = 4000;
const STOPPED =
  /^Command (timed out after \d+\s?ms|was cancelled by user) before it could complete\.(?: Below is the output before it (?:timed out|was cancelled):\n)?/u;
/** What stands where nothing is said. */
const NOTHING: ReadonlySet<string> = new Set(['(none)', '(empty)']);

/**
 * Takes the tool's words off what a command printed:
 * `Command: …\nDirectory: …\nOutput: …\nError: …\nExit Code: …\nSignal: …\nProcess Group PGID: …`.
 *
 * @returns null for what is no such report.
 */
function shellReport(text: string): ShellReport | null {
  const stopped = STOPPED.exec(text);
  if (stopped) {
    const [all, why = ''] = stopped;
    const interrupted = !why.startsWith('timed out');
    return {
      output: text.slice(all.length),
      error: `Command ${why}`,
      exitCode: null,
      failed: true,
      interrupted,
    };
  }
  const begins = /(?:^|\n)Directory: [^\n]*\nOutput: /u.exec(text);
  if (!begins) return null;
  const from = begins.index + begins[0].length;
  const tail = Math.max(from - 1, text.length - TAIL);
  // What was printed may hold such lines, too.
  const after = [...text.slice(tail).matchAll(AFTER)].at(-1);
  const output = said(after ? text.slice(from, Math.max(from, tail + after.index)) : text.slice(from));
  const [, error = '', code = '', signal = ''] = after ?? [];
  const exitCode = /^-?\d+$/u.test(code) ? Number(code) : null;
  const killed = !NOTHING.has(signal) && signal !== '0' && signal !== '';
  const failed = (exitCode ?? 0) !== 0 || (killed && exitCode === null) || said(error) !== '';
  return { output, error: said(error), exitCode, failed, interrupted: false };
}

function said(text: string): string {
  return NOTHING.has(text.trim()) ? '' : text;
}

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
