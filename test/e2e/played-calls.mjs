import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

/*
 * What the model did, by its own requests: every request repeats the conversation, so each call stands there with what
 * came back. This knows nothing of Codewalk, and so can be held against it.
 */

/** Arguments that name the file a tool works on, by client. */
const FILE_ARGUMENTS = ['file_path', 'path', 'absolute_path'];
/** How Qwen Code words what failed; Claude Code marks it. */
const FAILED = /^Exit Code: (?!0$)\d+$|^(?:Failed to|Error: |File not found|Tool ".*" not found)/mu;
/** Where a program's own output could look like one of them. */
const EXIT_CODE = /^Exit Code: (\d+)$/mu;

/**
 * @param requests Path of the harness's `requests.jsonl`.
 * @param project The project's folder.
 * @returns the calls in the order in which they were made:
 *   `{session, id, tool, args, files, failed, output}`; `files` are relative to the project, and null where the call's
 *   arguments do not tell them; `output` names files of the project by relative paths; `failed` is null for a call that nothing came back from.
 */
export function playedCalls(requests, project) {
  const calls = new Map();
  for (const line of readFileSync(requests, 'utf8').split('\n').filter(Boolean)) {
    const { sess: session, body } = JSON.parse(line);
    for (const message of body?.messages ?? [])
      for (const part of partsOf(message)) {
        if (part.result === undefined && !calls.has(part.id))
          calls.set(part.id, {
            ...part,
            session,
            files: filesOf(part.args, project),
            failed: null,
            output: '',
          });
        const call = calls.get(part.id);
        if (part.result !== undefined && call)
          Object.assign(call, {
            output: part.result.replaceAll(`${project}/`, ''),
            failed: part.failed ?? hasFailed(part.result),
          });
      }
  }
  return [...calls.values()];
}

/** Calls and results of one message, in OpenAI's form or Anthropic's. */
function partsOf({ role, content, tool_calls, tool_call_id }) {
  if (role === 'tool') return [{ id: tool_call_id, result: textOf(content) }];
  if (tool_calls)
    return tool_calls.map(({ id, function: { name, arguments: args } }) => ({
      id,
      tool: name,
      args: JSON.parse(args),
    }));
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => {
    if (part.type === 'tool_use') return [{ id: part.id, tool: part.name, args: part.input }];
    if (part.type !== 'tool_result') return [];
    return [{ id: part.tool_use_id, result: textOf(part.content), failed: part.is_error === true }];
  });
}

function textOf(content) {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text = '' }) => text).join('\n');
}

function hasFailed(output) {
  const code = EXIT_CODE.exec(output);
  return code === null ? FAILED.test(output) : code[1] !== '0';
}

function filesOf(args, project) {
  const named = FILE_ARGUMENTS.map((name) => args?.[name]).find((path) => typeof path === 'string');
  return named === undefined ? null : [relative(project, named)];
}
