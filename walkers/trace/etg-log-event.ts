import { z } from 'zod';
import { EVENT_FIELDS, ingest, payloadFields } from '../../graphs/trace/index.js';
import { shownLine } from '../../present/index.js';
import { defineWalker } from '../../runtime/index.js';
import { EVENT_KINDS, type EventKind, HOOK_FIELDS } from '../../schema/index.js';
import { withSymbols } from './edited-symbols.js';

const text = z.string();

/** What each kind's payload takes, but for what only hooks fill in. */
const PAYLOADS = EVENT_KINDS.map((kind) => {
  const fields = payloadFields(kind).filter((field) => !HOOK_FIELDS.has(`${kind}.${field.replace('?', '')}`));
  return `${kind}{${fields.join()}}`;
}).join(' ');

/** Records one event of an agent's work: the task, its steps, the tools they used, checkpoints, errors, the end. */
export const EtgLogEvent = defineWalker('etg_log_event', {
  description: `Record your work: tasks, steps, tools, errors. Payloads: ${PAYLOADS}`,
  access: 'write',
  input: EVENT_FIELDS,
  output: z.object({
    task_id: text,
    step_id: text.nullable(),
    tool_id: text.nullable(),
    warnings: z.array(text),
  }),
  examples: [
    { title: 'Start a task', input: { kind: 'task_start', payload: { user_prompt: 'Fix the login' } } },
    {
      title: 'A failing test',
      input: {
        kind: 'error',
        payload: { error_type: 'test_failure', message: 'expected 200, got 401' },
        task_id: 'task:…',
      },
    },
  ],
  finish: async ({ state, context }) => {
    const arrival = { said: state, at: context.now(), timed: false };
    const [result] = await ingest([arrival], context, withSymbols(context));
    if (!result || result.outcome === 'refused') throw result?.error;
    const { task, step, tool, opened } = result.placed;
    const warnings = opened
      ? [...result.warnings, openedText(state.kind, state.task_id)]
      : [...result.warnings];
    return { task_id: task, step_id: step, tool_id: tool, warnings };
  },
  markdown: ({ task_id, step_id, tool_id, warnings }) =>
    [
      `task_id: ${task_id}`,
      ...(step_id === null ? [] : [`step_id: ${step_id}`]),
      ...(tool_id === null ? [] : [`tool_id: ${tool_id}`]),
      ...warnings.map((warning) => `warning: ${shownLine(warning, 400)}`),
    ].join('\n'),
});

function openedText(kind: EventKind, given: string | null | undefined): string {
  return given
    ? `task_id: '${given}' was not known; a task was started under it`
    : `task_id: none was given, so a task was started for this ${kind}`;
}
