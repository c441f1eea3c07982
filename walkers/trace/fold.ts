import { compareText } from '../../runtime/index.js';
import { traceId } from './event-ids.js';
import { ENDED, type Fact, type FactOf } from './fact.js';
import { type FoldState, isAfter } from './fold-state.js';
import { changesRoles, endSteps, nameStep, stepOf } from './fold-steps.js';
import { isLateUse, meetError, startsAgain, useTool } from './fold-tools.js';
import { isUnknownStatus } from './known-words.js';
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

/**
 * Whether an end says nothing. One that only a session led here, or that is for what is
 * open, and that says neither success nor failure, is the end
 * of what is open: a task that has ended stays as it is, unless it went on since, or is told what was said at its end;
 * where there is nothing, nothing ends.
 */
function isEmptyEnd(state: FoldState, event: PlacedEvent): boolean {
  const { fact } = event;
  if (
    fact.kind !== 'task_end' ||
    !(event.bySession || fact.if_open) ||
    (fact.status !== 'aborted' && fact.status !== ENDED)
  )
    return false;
  const { started, stirred, ended } = state;
  if (started === null && stirred === null) return true;
  if (ended === null) return false;
  if (fact.status !== ENDED) return true;
  return fact.summary === '' && (stirred === null || !isAfter(stirred, ended));
}

/** Whether what an end comes to depends on all events before it. */
function isJudged(event: PlacedEvent): boolean {
  const { fact } = event;
  return (
    fact.kind === 'task_end' &&
    (event.bySession || fact.if_open || fact.status === ENDED || isUnknownStatus(fact.status_raw))
  );
}

/**
 * Ends a task. A word that nobody knows tells how a task stands that did not end before; of one that has ended, and did
 * not go on since, it changes nothing but what is kept beside. {@link ENDED} is tentative: `success`, unless something that failed last time was left so, and it takes
 * nothing from who said how it ended; a later one of its kind wins.
 */
async function endTask(
  state: FoldState,
  event: PlacedEvent,
  fact: FactOf<'task_end'>,
  draft: TaskDraft,
): Promise<void> {
  const task = await draft.task(event.task, isoOf(event.at));
  const isTold = fact.status === 'success' || fact.status === 'failed';
  const { ended, stirred } = state;
  const adds = isUnknownStatus(fact.status_raw) && ended !== null && !(stirred && isAfter(stirred, ended));
  if (adds) task.status_raw = fact.status_raw;
  else if (fact.status !== ENDED) [task.status, task.status_raw] = [fact.status, fact.status_raw];
  else if (!state.told)
    [task.status, task.status_raw] = [
      state.failures.some(({ counts }) => counts) ? 'failed' : 'success',
      null,
    ];
  if (fact.status !== ENDED && !adds) state.told = isTold;
  if (fact.summary !== '') {
    task.summary = fact.summary;
    state.cut.summary = fact.truncated_bytes;
    task.truncated_bytes = state.cut.prompt + state.cut.summary;
  }
  task.ended_at = isoOf(event.at);
  state.ended = keyOf(event);
  await endSteps(state, event, draft);
}
