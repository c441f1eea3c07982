import { allLines, edited, linesOfPatch } from '../changed-lines.js';
import type { BatchedCall, Dialect } from '../lifecycle/dialect.js';
import type { LifecycleFields } from '../lifecycle/fields.js';
import { at, textAt } from '../read-payload.js';
import { jsonOrText, textsOf } from '../texts.js';
import type { Outcome } from '../told.js';

/** What Claude Code says in its own way. */
export const dialect: Dialect = {
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
};

/** How a call of which an event of its own tells ended. */
function outcomeOf(fields: LifecycleFields, failed: boolean): Outcome {
  const { tool_response: response, duration_ms, is_interrupt = false } = fields;
  const interrupted = is_interrupt || at(response, 'interrupted') === true;
  return {
    ...(failed ? failedWith(jsonOrText(fields.error)) : endedWith(response, interrupted)),
    interrupted,
    durationMs: duration_ms ?? null,
  };
}

/** Calls that were refused before they ran: of these no other event tells. */
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
  return {
    success: !interrupted,
    interrupted,
    stdout: printed(response),
    stderr: textAt(response, 'stderr') ?? '',
    exitCode: null,
    durationMs: null,
    startedAt: null,
    lines: patch.length === 0 && textAt(response, 'type') === 'create' ? allLines(content ?? '') : patch,
    content,
  };
}

/** A shell's failure is `Exit code N`, and below it what was printed. */
function failedWith(error: string): Outcome {
  const shell = /^(?:Error: )?Exit code (\d+)(?:\n|$)/u.exec(error);
  return {
    success: false,
    interrupted: false,
    stdout: shell ? error.slice(shell[0].length) : '',
    stderr: shell ? '' : error,
    exitCode: shell ? Number(shell[1]) : null,
    durationMs: null,
    startedAt: null,
    lines: [],
    content: null,
  };
}

/** Of an edit nothing: what it did stands in its parameters. */
function printed(response: unknown): string {
  const { stdout, file } = { stdout: textAt(response, 'stdout'), file: textAt(response, 'file', 'content') };
  if (stdout !== null || file !== null) return stdout ?? file ?? '';
  if (at(response, 'structuredPatch') !== undefined) return '';
  return textsOf(at(response, 'content')) ?? jsonOrText(response);
}

/** What the file holds after an edit or a write. */
function contentOf(response: unknown): string | null {
  if (at(response, 'structuredPatch') === undefined) return null;
  const [written, original] = [textAt(response, 'content'), textAt(response, 'originalFile')];
  return written ?? (original === null ? null : edited(original, response));
}
