import { z } from 'zod';
import { defineNode } from './archetype.js';
import { EVENT_KINDS } from './events.js';

/*
 * What the traces are made from: bookkeeping that no export shows. A task is what its events say in their order,
 * whatever order they came in (C-02); so the events are kept, masked and cut, and a late one is put in its place.
 */

const text = z.string();
const optionalText = text.nullable().default(null);

/** One event as `etg_log_event` was told it: masked, cut, its paths relative to the root. Its id is its identity. */
export const TraceEvent = defineNode(
  'TraceEvent',
  {
    task: text,
    /** The session that says which task: set where the event named none itself. */
    session: optionalText,
    /** The session in which it begins a task. */
    begins: optionalText,
    /** Milliseconds since 1970; with a fraction where the client told no time. */
    at: z.number(),
    kind: z.enum(EVENT_KINDS),
    /** The step and the use of a tool that it named itself. */
    step_name: optionalText,
    tool_name: optionalText,
    /** Where it went. */
    step: optionalText,
    tool: optionalText,
    /** What was told, normalised. */
    fact: z.record(text, z.unknown()),
  },
  { indexes: ['task', 'session', 'begins'], doc: 'One event that a trace is made from; never exported.' },
);

/** Where the folding of a task's events stands, so that the next one needs none of them. */
export const TraceCursor = defineNode(
  'TraceCursor',
  { state: z.record(text, z.unknown()).default({}) },
  { doc: 'Where the folding of events stands; never exported.' },
);
