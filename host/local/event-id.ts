import { randomUUID } from 'node:crypto';
import type { SpawnRequest } from '../host.js';
import { timeSortableIds } from '../ids.js';

/** The walkers whose input may have an `event_id`: what has one counts once, however often it is sent. */
const LOGS: ReadonlySet<string> = new Set(['etg_log_event', 'log']);

/**
 * The request with what tells it from others, so that it can be sent again after a crash: an id of its own, and an event id
 * where it logs an event without one.
 */
export function repeatable(request: SpawnRequest): SpawnRequest {
  const named = request.requestId ? request : { ...request, requestId: timeSortableIds(Date.now)() };
  if (!LOGS.has(request.walker) || request.input.event_id !== undefined) return named;
  return {
    ...named,
    given: request.given ?? request.input,
    input: { ...request.input, event_id: randomUUID() },
  };
}
