import { z } from 'zod';
import { defineWalker, Root } from '../../runtime/index.js';
import { CodewalkError, EVENT_KINDS, EVENT_PAYLOADS, TraceEvent } from '../../schema/index.js';
import { assignedTask } from './assigned-task.js';
import { keptName, keptSession, traceId } from './event-ids.js';
import { normalised } from './normalise.js';
import { recordEvent, refold } from './record-event.js';
import { timeOf } from './times.js';

const text = z.string();
const optionalText = text.nullish();

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
      .map((field) => (missing.has(field) ? field : `${field}?`))
      .join()}}`;
  })
  .join(' ');

/** Records one event of an agent's work: the task, its steps, the tools they used, checkpoints, errors, the end. */
export const EtgLogEvent = defineWalker('etg_log_event', {
  description: `Record your work: tasks, steps, tools, errors. Payloads: ${PAYLOADS}`,
  access: 'write',
  input: {
    kind: z.enum(EVENT_KINDS),
    payload: z.record(text, z.unknown()),
    task_id: optionalText.describe('As answered; none: new task'),
    step_id: optionalText,
    tool_id: optionalText,
    // An event with an id counts once, however often it is given.
    event_id: text.optional(),
    session_id: text.optional(),
    ts: z.union([z.number(), text]).optional().describe('Default: now'),
  },
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
      const { kind, event_id, step_id, tool_id } = state;
      const given = state.task_id || null;
      const session = state.session_id ? keptSession(state.session_id) : null;
      const { fact, warnings: said } = normalised(kind, state.payload, {
        root: context.projectRoot,
        sessionId: session,
      });
      const warnings = [...said];
      const told = state.ts === undefined ? null : timeOf(state.ts);
      if (told === null && state.ts !== undefined)
        warnings.push(`ts: '${state.ts}' is no time; the event counts as of now`);
      const id = event_id ? traceId('event', kind, given ?? '', session ?? '', event_id) : undefined;
      const [known] = id === undefined ? [] : await context.nodesOf(TraceEvent, [id]);
      if (known && !known.gone) {
        state.output = { task_id: known.task, step_id: known.step, tool_id: known.tool, warnings };
        return;
      }
      const draft = {
        kind,
        fact,
        at: told ?? context.now(),
        step_name: step_id ? keptName('step', step_id) : null,
        tool_name: tool_id ? keptName('tool', tool_id) : null,
      };
      const event = await context.create(TraceEvent({ ...draft, task: '' }, id === undefined ? {} : { id }));
      const assigned = await assignedTask(event, { given, session, told: told !== null }, context);
      warnings.push(...assigned.warnings);
      if (assigned.robbed.length === 0) await recordEvent(event, context);
      else for (const task of [...assigned.robbed, event.task]) await refold(task, context);
      state.output = { task_id: event.task, step_id: event.step, tool_id: event.tool, warnings };
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
      ...warnings.map((warning) => `warning: ${warning}`),
    ].join('\n'),
});
