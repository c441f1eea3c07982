import { namedId, traceId } from './event-ids.js';
import type { Fact, FactOf } from './fact.js';
import { endTask, isEmptyEnd, isJudged } from './fold-ends.js';
import {
  closed,
  compareKeys,
  type FoldState,
  isAfter,
  knownUses,
  opened,
  type ToolUses,
  usesOf,
} from './fold-state.js';
import { changesRoles, nameStep, stepFor, stepOf } from './fold-steps.js';
import { keyOf, type PlacedEvent, type Placement } from './placed-events.js';
import type { StepProps, TaskDraft, TaskProps } from './task-draft.js';
import { isoOf } from './times.js';

const NOWHERE: Placement = { step: null, tool: null };

/** What came of adding an event. */
export interface Added {
  readonly placement: Placement;
  /** Whether a step touched a file after a later one had begun: which builds on which takes all events to say. */
  readonly unsettled: boolean;
}

/**
 * Whether an event comes too late to be added to what its task has: another result would come of it than of all
 * events in their order. Then they are folded again, from the first one on.
 */
export function isLate(state: FoldState, event: PlacedEvent): boolean {
  const key = keyOf(event);
  const { kind } = event.fact;
  if (!isAfter(key, isJudged(event) ? state.last : state.judged)) return true;
  const inOpenStep = isAfter(key, (event.stepName === null ? state.step?.key : state.last) ?? null);
  switch (kind) {
    case 'task_start':
      return !isAfter(key, state.started);
    case 'step':
      return !isAfter(key, state.last);
    case 'task_end':
      return !isAfter(key, state.ended) || !isAfter(key, state.roled) || !inOpenStep;
    case 'error':
      return !inOpenStep || (event.toolName !== null && !isAfter(key, state.last));
    case 'checkpoint':
      return !inOpenStep;
    case 'tool_start':
    case 'tool_end': {
      const uses = knownUses(state, event.fact.tool_name);
      const paired =
        uses === undefined || isAfter(key, uses.last) || (!uses.strict && event.toolName !== null);
      const orphaned = event.toolName !== null && !isAfter(key, state.orphan);
      return !inOpenStep || !paired || orphaned || changesRoles(state, event, event.fact);
    }
  }
}

/**
 * Adds one event to a task. Folding all events of a task in the order of their keys, from {@link newFold} on, makes
 * the task; adding one that is not {@link isLate} to a state gives the same as folding all of them.
 */
export async function addEvent(state: FoldState, event: PlacedEvent, draft: TaskDraft): Promise<Added> {
  const key = keyOf(event);
  const at = isoOf(event.at);
  const { fact } = event;
  if (isJudged(event)) state.judged = key;
  if (isEmptyEnd(state, event)) {
    if (isAfter(key, state.last)) state.last = key;
    return { placement: NOWHERE, unsettled: false };
  }
  const task = await draft.task(event.task, at);
  if (fact.kind !== 'task_end' && isAfter(key, state.stirred)) state.stirred = key;
  let touched: readonly string[] = [];
  const placement = await placed(fact);
  if (isAfter(key, state.last)) state.last = key;
  state.newest = draft.newest ?? state.newest;
  const { step } = placement;
  if (step === null || step !== state.newest) return { placement, unsettled: touched.length > 0 };
  for (const path of touched) await draft.build(event.task, step, path);
  return { placement, unsettled: false };

  async function placed(fact: Fact): Promise<Placement> {
    switch (fact.kind) {
      case 'task_start':
        startTask(state, task, fact);
        state.started = key;
        return { step: null, tool: null };
      case 'step':
        return { step: await nameStep(state, event, fact, draft), tool: null };
      case 'tool_start':
      case 'tool_end':
        return useTool(state, event, fact, draft, (step, tool, paths) => {
          touched = draft.touch(tool, step, task, paths);
        });
      case 'checkpoint': {
        const step = await stepOf(state, event, draft);
        const { checkpoint_file, created_at } = fact;
        draft.checkpoint(traceId('checkpoint', event.id), step.id, {
          checkpoint_file,
          created_at: created_at ?? at,
        });
        return { step: step.id, tool: null };
      }
      case 'error': {
        const tool = event.toolName === null ? null : namedId('tool', event.task, event.toolName);
        const begun = tool === null ? undefined : await draft.stepOfTool(tool);
        if (tool !== null && begun === undefined) state.orphan = key;
        const step = begun ?? (await stepOf(state, event, draft)).id;
        const { kind: _, ...props } = fact;
        draft.error(traceId('error', event.id), step, { ...props, tool_id: tool, created_at: at });
        return { step, tool };
      }
      case 'task_end':
        await endTask(state, event, fact, draft);
        return { step: state.step?.id ?? null, tool: null };
    }
  }
}

function startTask(state: FoldState, task: TaskProps, fact: FactOf<'task_start'>): void {
  task.user_prompt = fact.user_prompt;
  task.tags = fact.tags;
  task.session_id = fact.session_id;
  task.client = fact.client;
  state.cut.prompt = fact.truncated_bytes;
  task.truncated_bytes = state.cut.prompt + state.cut.summary;
}

async function useTool(
  state: FoldState,
  event: PlacedEvent,
  fact: FactOf<'tool_start'> | FactOf<'tool_end'>,
  draft: TaskDraft,
  touch: (step: StepProps, tool: string, paths: readonly string[]) => void,
): Promise<Placement> {
  const key = keyOf(event);
  const uses = usesOf(state, fact.tool_name, key);
  if (event.toolName === null) uses.strict = true;
  if (compareKeys(key, uses.last) > 0) uses.last = key;
  const id = toolOf(event, fact, uses);
  const begun = fact.kind === 'tool_end' ? closed(uses, id) : null;
  // What has begun is where it began, whatever its end says.
  const current = await (begun === null ? stepFor(state, event, fact, draft) : stepOf(state, event, draft));
  const step =
    begun === null || begun === current.id
      ? current
      : { id: begun, props: await draft.step(event.task, begun, 0, isoOf(event.at)) };
  const tool = await draft.tool(id, step.id, fact.tool_name);
  if (fact.kind === 'tool_start') {
    opened(uses, { key, id, step: step.id });
    tool.tool_name = fact.tool_name;
    tool.params_json = fact.params_json;
    tool.started_at = isoOf(event.at);
  } else {
    tool.success = fact.success;
    tool.duration_ms = fact.duration_ms;
    tool.ended_at = isoOf(event.at);
    [tool.stdout, tool.stderr] = [fact.stdout, fact.stderr];
  }
  // Where the client told no duration.
  if (tool.started_at !== null && tool.ended_at !== null)
    tool.duration_ms ??= Math.max(0, Date.parse(tool.ended_at) - Date.parse(tool.started_at));
  tool.truncated_bytes += fact.truncated_bytes;
  touch(step.props, id, fact.files);
  return { step: step.id, tool: id };
}

/** The use that an event is about: the one that it names, else the latest open one of its tool, else its own. */
function toolOf(event: PlacedEvent, fact: FactOf<'tool_start'> | FactOf<'tool_end'>, uses: ToolUses): string {
  if (event.toolName !== null) return namedId('tool', event.task, event.toolName);
  const open = fact.kind === 'tool_end' ? uses.open.at(-1) : undefined;
  return open?.id ?? traceId('tool', event.id);
}
