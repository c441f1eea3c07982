import { randomUUID } from 'node:crypto';
import type { SpawnRequest } from '../host.js';

/** The walkers whose input may have an `event_id`: what has one counts once, however often it is sent. */
const LOGS: ReadonlySet<string> = new Set(['etg_log_event', 'log']);

/** The request with an event id where it logs an event without one, so that it can be sent again after a crash. */
export function withEventId(request: SpawnRequest): SpawnRequest {
  if (!LOGS.has(request.walker) || request.input.event_id !== undefined) return request;
  return {
    ...request,
    given: request.given ?? request.input,
    input: { ...request.input, event_id: randomUUID() },
  };
}
