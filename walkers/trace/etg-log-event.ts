import { z } from 'zod';
import { EVENT_FIELDS, ingest } from '../../graphs/trace/index.js';
import { defineWalker, Root } from '../../runtime/index.js';
import { CodewalkError, EVENT_PAYLOADS, type EventKind, HOOK_FIELDS } from '../../schema/index.js';
import { shownLine } from '../shown-text.js';
import { withSymbols } from './edited-symbols.js';

const text = z.string();

/** What logging answers. */
const LogOutput = z.object({
  task_id: text,
  /** The step that the event is part of. */
  step_id: text.nullable(),
  /** The use of a tool that it is about. */
  tool_id: text.nullable(),
  /** What was not taken as it was said. */
  warnings: z.array(text),
});

/** What each kind's payload takes, for the description. */
const PAYLOADS = Object.entries(EVENT_PAYLOADS)
  .map(([kind, schema]) => {
    const missing = new Set(schema.safeParse({}).error?.issues.map(({ path }) => String(path[0])));
    return `${kind}{${Object.keys(schema.shape)
      .filter((field) => !HOOK_FIELDS.has(`${kind}.${field}`))
      .map((field) => (missing.has(field) ? field : `${field}?`))
      .join()}}`;
  })
  .join(' ');

/** Records one event of an agent's work: the task, its steps, the tools they used, checkpoints, errors, the end. */
export const EtgLogEvent = defineWalker('etg_log_event', {
  description: `Record your work: tasks, steps, tools, errors. Payloads: ${PAYLOADS}`,
  access: 'write',
  input: EVENT_FIELDS,
  output: LogOutput,
  state: () => ({ output: null as z.infer<typeof LogOutput> | null }),
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
  on: (w) => [
    w.entry(Root, async (_here, context) => {
      const { state } = context;
      const arrival = { said: state, at: context.now(), timed: false };
      const [result] = await ingest([arrival], context, withSymbols(context));
      if (result?.outcome === 'refused') throw result.error;
      if (!result) return;
      const { placed, warnings } = result;
      const opened = placed.opened ? [openedText(state.kind, state.task_id || null)] : [];
      state.output = {
        task_id: placed.task,
        step_id: placed.step,
        tool_id: placed.tool,
        warnings: [...warnings, ...opened],
      };
    }),
  ],
  finish: ({ state: { output } }) => {
    if (output) return output;
    throw new CodewalkError('DEADLINE', 'the event was not recorded: the run ended early');
  },
  markdown: ({ task_id, step_id, tool_id, warnings }) =>
    [
      `task_id: ${task_id}`,
      ...(step_id === null ? [] : [`step_id: ${step_id}`]),
      ...(tool_id === null ? [] : [`tool_id: ${tool_id}`]),
      ...warnings.map((warning) => `warning: ${shownLine(warning, 400)}`),
    ].join('\n'),
});

function openedText(kind: EventKind, given: string | null): string {
  return given === null
    ? `task_id: none was given, so a task was started for this ${kind}`
    : `task_id: '${given}' was not known; a task was started under it`;
}
