import { LIMITS } from '../../schema/index.js';
import { printedEnds } from '../both-ends.js';
import { roleOf } from '../role.js';
import type { Call, Outcome } from '../told.js';

/** Characters that are kept of what a tool read: the file itself is at hand. */
const READ = 2000;

/** The payload of the event that a call began. */
export function toolStart(call: Call): Record<string, unknown> {
  const role = roleOf(call);
  return {
    tool_name: call.tool,
    ...(call.params === null ? {} : { params_json: call.params }),
    ...(role === null ? {} : { role }),
    files_touched: call.files,
  };
}

/** The payload of the event that it ended. */
export function toolEnd(call: Call, outcome: Outcome): Record<string, unknown> {
  const { success, interrupted, stdout, stderr, exitCode, durationMs, lines, content } = outcome;
  const most = call.doing === 'read' || call.doing === 'search' ? READ : LIMITS.traceOutput.max;
  return {
    tool_name: call.tool,
    success,
    ...(durationMs === null ? {} : { duration_ms: durationMs }),
    stdout: printedEnds(stdout, most),
    stderr: printedEnds(stderr, most),
    files_touched: call.files,
    ...(interrupted ? { interrupted } : {}),
    ...(exitCode === null ? {} : { exit_code: exitCode }),
    ...(lines.length === 0 ? {} : { lines }),
    // Of a larger file no symbols are known.
    ...(content === null || content.length > LIMITS.fileBytes.default ? {} : { content }),
  };
}
