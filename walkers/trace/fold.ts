import { LIMITS } from '../../schema/index.js';
import { namedId, traceId } from './event-ids.js';
import type { Fact, FactOf } from './fact.js';
import {
  closed,
  compareKeys,
  type EventKey,
  type FoldState,
  isAfter,
  knownUses,
  opened,
  type ToolUses,
  usesOf,
} from './fold-state.js';
import type { StepProps, TaskDraft, TaskProps } from './task-draft.js';
import { isoOf } from './times.js';

/** One event in its task. */
export interface PlacedEvent {
  /** Its identity. */
  readonly id: string;
  readonly task: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The step that it names; null: the one that is open. */
  readonly stepName: string | null;
  /** The use of a tool that it names; null: the latest open one of its tool. */
  readonly toolName: string | null;
  readonly fact: Fact;
}

/** The place of the step that is opened where none was named. */
const BEFORE_ALL: EventKey = [0, ''];

/** Where an event went. */
export interface Placement {
  readonly step: string | null;
  readonly tool: string | null;
}

/** What came of adding an event. */
export interface Added {
  readonly placement: Placement;
  /** Whether a step touched a file after a later one had begun: which builds on which takes all events to say. */
  readonly unsettled: boolean;
}

/** The place of an event among those of its task. */
export function keyOf({ at, id }: Pick<PlacedEvent, 'at' | 'id'>): EventKey {
  return [at, id];
}

/**
 * Whether an event comes too late to be added to what its task has: another result would come of it than of all
 * events in their order. Then they are folded again, from the first one on.
 */
export function isLate(state: FoldState, event: PlacedEvent): boolean {
  const key = keyOf(event);
  const { kind } = event.fact;
  const inOpenStep = isAfter(key, (event.stepName === null ? state.step?.key : state.last) ?? null);
  switch (kind) {
    case 'task_start':
      return !isAfter(key, state.started);
    case 'step':
      return !isAfter(key, state.last);
    case 'task_end':
      return !isAfter(key, state.ended) || !inOpenStep;
    case 'error':
    case 'checkpoint':
      return !inOpenStep;
    case 'tool_start':
    case 'tool_end': {
      const uses = knownUses(state, event.fact.tool_name);
      const paired =
        uses === undefined || isAfter(key, uses.last) || (!uses.strict && event.toolName !== null);
      return !inOpenStep || !paired;
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
  const task = await draft.task(event.task, at);
  const { fact } = event;
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
        startTask(task, fact);
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
        const step = await stepOf(state, event, draft);
        const { kind: _, ...props } = fact;
        draft.error(traceId('error', event.id), step.id, { ...props, created_at: at });
        return { step: step.id, tool: null };
      }
      case 'task_end':
        await endTask(state, event, fact, draft, task);
        return { step: state.step?.id ?? null, tool: null };
    }
  }
}

function startTask(task: TaskProps, fact: FactOf<'task_start'>): void {
  task.user_prompt = fact.user_prompt;
  task.tags = fact.tags;
  task.session_id = fact.session_id;
  task.client = fact.client;
  task.truncated_bytes = fact.truncated_bytes;
}

async function endTask(
  state: FoldState,
  event: PlacedEvent,
  fact: FactOf<'task_end'>,
  draft: TaskDraft,
  task: TaskProps,
): Promise<void> {
  task.status = fact.status;
  task.status_raw = fact.status_raw;
  task.ended_at = isoOf(event.at);
  state.ended = keyOf(event);
  for (const id of [state.step?.id, ...state.beside]) await endStep(id, event, draft);
  state.beside = [];
}

/** A step that a `step` event began is open until the next one begins; every one until the task ends (S3-42). */
async function endStep(id: string | undefined, event: PlacedEvent, draft: TaskDraft): Promise<void> {
  if (id === undefined) return;
  const step = await draft.step(event.task, id, 0, isoOf(event.at));
  step.ended_at ??= isoOf(event.at);
}

async function nameStep(
  state: FoldState,
  event: PlacedEvent,
  fact: FactOf<'step'>,
  draft: TaskDraft,
): Promise<string> {
  const id = await idOfStep(state, event, fact, draft);
  if (state.step?.id !== id) await endStep(state.step?.id, event, draft);
  state.beside = state.beside.filter((one) => one !== id);
  const step = await draft.step(event.task, id, fact.order, isoOf(event.at));
  draft.place(event.task, id, step, fact.order);
  step.ended_at = null;
  if (fact.role !== null || fact.role_raw !== null) [step.role, step.role_raw] = [fact.role, fact.role_raw];
  if (fact.llm_summary !== '')
    [step.llm_summary, step.truncated_bytes] = [fact.llm_summary, fact.truncated_bytes];
  state.step = { id, key: keyOf(event), order: event.stepName === null ? fact.order : null };
  return id;
}

/**
 * The step that an event is about: the one that it names, else the open one or the first one of its order, unless
 * that is said to be something else. Who counts from 1 again takes nothing from the steps before; the same said again
 * is the same step.
 */
async function idOfStep(
  state: FoldState,
  { task, stepName }: PlacedEvent,
  fact: FactOf<'step'>,
  draft: TaskDraft,
): Promise<string> {
  if (stepName !== null) return namedId('step', task, stepName);
  const { order, llm_summary } = fact;
  const first = traceId('step', task, order);
  const open = state.step?.order === order ? state.step.id : first;
  for (const id of [open, first]) {
    const known = await draft.knownStep(id);
    if (known === undefined || !isAnother(known, fact)) return id;
  }
  return traceId('step', task, order, roleOf(fact) ?? '', llm_summary);
}

/** Whether an event says of a step what was not said of it before. */
function isAnother(known: StepProps, fact: FactOf<'step'>): boolean {
  const [was, is] = [roleOf(known), roleOf(fact)];
  const others = was !== null && is !== null && was !== is;
  return (
    others || (known.llm_summary !== '' && fact.llm_summary !== '' && known.llm_summary !== fact.llm_summary)
  );
}

function roleOf({ role, role_raw }: Pick<StepProps, 'role' | 'role_raw'>): string | null {
  return role ?? role_raw;
}

/** The step that an event is part of; one is opened where none was named yet. */
async function stepOf(
  state: FoldState,
  event: PlacedEvent,
  draft: TaskDraft,
): Promise<{ id: string; props: StepProps }> {
  if (event.stepName !== null) {
    const id = namedId('step', event.task, event.stepName);
    const props = await draft.step(event.task, id, 0, isoOf(event.at));
    if (id !== state.step?.id && props.ended_at === null) await openBeside(state, id, event, draft);
    return { id, props };
  }
  state.step ??= { id: traceId('step', event.task), key: BEFORE_ALL, order: null };
  const { id } = state.step;
  return { id, props: await draft.step(event.task, id, 0, isoOf(event.at)) };
}

/** Of too many open steps the first one ends. */
async function openBeside(state: FoldState, id: string, event: PlacedEvent, draft: TaskDraft): Promise<void> {
  if (state.beside.includes(id)) return;
  state.beside.push(id);
  if (state.beside.length > LIMITS.openTools.max) await endStep(state.beside.shift(), event, draft);
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
  const current = await stepOf(state, event, draft);
  const begun = fact.kind === 'tool_end' ? closed(uses, id) : null;
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
