import { LIMITS } from '../../schema/index.js';
import { printedEnds } from '../both-ends.js';
import { roleOf } from '../role.js';
import { isSecretPath, printsSecret } from '../shell/prints-secret.js';
import type { Call, Outcome } from '../told.js';

/** Characters that are kept of what a tool read: the file itself is at hand. */
const READ = 2000;

/** What stands for the content of a file of secrets, and for what a command prints of one. */
const SECRET = '[masked:secret]';

/** The payload of the event that a call began. */
export function toolStart(call: Call): Record<string, unknown> {
  const role = roleOf(call);
  const params = isOfSecret(call) && call.command === null ? withoutContent(call.params) : call.params;
  return {
    tool_name: call.tool,
    ...(params === null ? {} : { params_json: params }),
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

/** An outcome without what a file of secrets holds, or what a command printed of one. */
export function withoutSecret(call: Call, outcome: Outcome): Outcome {
  if (!isOfSecret(call)) return outcome;
  const stdout = outcome.stdout === '' ? '' : SECRET;
  // What a command says of its failure is no secret; what it printed before may be.
  return { ...outcome, stdout, content: null };
}

/** Whether a call reads, writes or prints what is a secret as a whole. */
function isOfSecret({ doing, command, files }: Call): boolean {
  if (command !== null) return printsSecret(command);
  return (doing === 'read' || doing === 'edit') && files.some(isSecretPath);
}

/** Parameters without what a file of secrets holds: its path and numbers stay. */
function withoutContent(params: Call['params']): Call['params'] {
  if (params === null || typeof params === 'string') return params === null ? null : SECRET;
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      const stays =
        typeof value === 'number' ||
        typeof value === 'boolean' ||
        (typeof value === 'string' && isSecretPath(value));
      return [name, stays ? value : SECRET];
    }),
  );
}
