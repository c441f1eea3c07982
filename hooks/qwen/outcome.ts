import { allLines, linesOfDiff } from '../changed-lines.js';
import type { LifecycleFields } from '../lifecycle/fields.js';
import { at, textAt } from '../read-payload.js';
import { jsonOrText, textsOf } from '../texts.js';
import type { Outcome } from '../told.js';
import { mcpErrorText } from './mcp-error.js';
import { shellReport } from './shell-report.js';

/**
 * How a call ended. A failing command is a failure's event in 0.24; in 0.15 it comes as any other, and its report says
 * how it ended.
 */
export function outcomeOf(fields: LifecycleFields, failed: boolean): Outcome {
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

/** Longest that a call may have taken for its id to be believed: milliseconds. */
const DAY = 24 * 3600 * 1000;

/** The call's id holds when it was made: `toolu_<milliseconds>_<random>`. */
function startedAt(id: string, ended: number): number | null {
  const started = Number(/^toolu_(\d{13})_/u.exec(id)?.[1]);
  return started <= ended && started > ended - DAY ? started : null;
}
