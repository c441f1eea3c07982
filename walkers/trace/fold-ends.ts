import { ENDED, type FactOf } from './fact.js';
import { type FoldState, isAfter } from './fold-state.js';
import { endSteps } from './fold-steps.js';
import { isUnknownStatus } from './known-words.js';
import { keyOf, type PlacedEvent } from './placed-events.js';
import type { TaskDraft } from './task-draft.js';
import { isoOf } from './times.js';

/**
 * Whether an end says nothing. One that only a session led here, or that is for what is
 * open, and that says neither success nor failure, is the end
 * of what is open: a task that has ended stays as it is, unless it went on since, or is told what was said at its end;
 * where there is nothing, nothing ends.
 */
export function isEmptyEnd(state: FoldState, event: PlacedEvent): boolean {
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
export function isJudged(event: PlacedEvent): boolean {
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
export async function endTask(
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
