import { compareText } from '../../runtime/index.js';
import { traceId } from './event-ids.js';
import type { Fact, FactOf } from './fact.js';
import { endTask, isEmptyEnd, isJudged } from './fold-ends.js';
import { type FoldState, isAfter } from './fold-state.js';
import { changesRoles, nameStep, stepOf } from './fold-steps.js';
import { isLateUse, meetError, startsAgain, useTool } from './fold-tools.js';
import { keyOf, type PlacedEvent, type Placement } from './placed-events.js';
import type { TaskDraft, TaskProps } from './task-draft.js';
import { isoOf } from './times.js';

const NOWHERE: Placement = { step: null, tool: null };

/** What came of adding an event. */
export interface Added {
  readonly placement: Placement;
  /**
   * Whether it takes all events to say what comes of it: a step touched a file after a later one did, or what
   * counted as done well was not.
   */
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
  const opened = state.step?.key ?? state.begun;
  const inOpenStep = isAfter(key, event.stepName === null ? opened : state.last);
  switch (kind) {
    case 'task_start':
      return !isAfter(key, state.started);
    case 'step':
      return !isAfter(key, state.last);
    case 'task_end':
      return !isAfter(key, state.ended) || !isAfter(key, state.roled) || !inOpenStep;
    case 'error':
      return !inOpenStep || !isAfter(key, event.toolName === null ? state.judging : state.last);
    case 'checkpoint':
      return !inOpenStep;
    case 'tool_start':
    case 'tool_end': {
      if (isLateUse(state, event, event.fact)) return true;
      return (
        !startsAgain(state, event, event.fact) && (!inOpenStep || changesRoles(state, event, event.fact))
      );
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
  if (state.started === null && fact.kind !== 'task_start') tellTeller(task, fact);
  if (fact.kind !== 'task_end' && isAfter(key, state.stirred)) state.stirred = key;
  let touched: readonly string[] = [];
  let contradicts = false;
  const placement = await placed(fact);
  if (isAfter(key, state.last)) state.last = key;
  if (draft.newest !== null && draft.newest !== state.newest)
    [state.newest, state.begun] = [draft.newest, key];
  const { step } = placement;
  if (step === null) return { placement, unsettled: contradicts };
  let unsettled = contradicts;
  for (const path of touched)
    if (step === state.newest || (await draft.isLastToucher(event.task, step, path)))
      await draft.build(event.task, step, path);
    else unsettled = true;
  return { placement, unsettled };

  async function placed(fact: Fact): Promise<Placement> {
    switch (fact.kind) {
      case 'task_start':
        startTask(state, task, fact);
        state.started = key;
        return { step: null, tool: null };
      case 'step':
        return { step: await nameStep(state, event, fact, draft), tool: null };
      case 'tool_start':
      case 'tool_end': {
        const used = await useTool(state, event, fact, task, draft);
        touched = used.touched;
        return used.placement;
      }
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
        const met = await meetError(state, event, fact, draft);
        contradicts = met.contradicts;
        return met.placement;
      }
      case 'task_end':
        await endTask(state, event, fact, draft);
        return { step: state.step?.id ?? null, tool: null };
    }
  }
}

/** Of several that told of one task the first by name stands for all: whatever their order, it is the same one. */
function tellTeller(task: TaskProps, { session_id, client }: Fact): void {
  task.session_id = firstByName(task.session_id, session_id ?? null);
  task.client = firstByName(task.client, client ?? null);
}

function firstByName(a: string | null, b: string | null): string | null {
  return a === null || (b !== null && compareText(b, a) < 0) ? b : a;
}

function startTask(state: FoldState, task: TaskProps, fact: FactOf<'task_start'>): void {
  task.user_prompt = fact.user_prompt;
  task.tags = fact.tags;
  task.session_id = fact.session_id;
  task.client = fact.client;
  state.cut.prompt = fact.truncated_bytes;
  task.truncated_bytes = state.cut.prompt + state.cut.summary;
}
