import { createContext, Script } from 'node:vm';
import { z } from 'zod';
import { compareText } from '../../runtime/index.js';
import { EVENT_KINDS, LIMITS, timeOf } from '../../schema/index.js';
import { withoutTexts } from '../../source/index.js';
import { type Fact, normalise } from './fact.js';
import { namedTask, storedName, storedSession, traceId } from './ids.js';
import type { PlaceOf } from './places.js';

const text = z.string();

/** The fields of an event as a client reports it. */
export const EVENT_FIELDS = {
  kind: z.enum(EVENT_KINDS),
  payload: z.record(text, z.unknown()),
  task_id: text.nullish().describe('As answered; none: new task'),
  step_id: text.nullish(),
  tool_id: text.nullish(),
  // An event with an id counts once, however often it is given.
  event_id: text.optional(),
  session_id: text.optional(),
  ts: z.union([z.number(), text]).optional(),
};
/** See {@link EVENT_FIELDS}. */
export type ReportedEvent = Omit<z.infer<z.ZodObject<typeof EVENT_FIELDS>>, 'payload'> & { payload: unknown };

/** An event that is to be recorded: normalised, with its names as they are stored. */
export interface NewEvent {
  /** Null where the client gave it none: the graph names it. */
  readonly id: string | null;
  readonly at: number;
  /** Whether `at` is the time that the client gave; else of two such events the one that arrived later is later. */
  readonly timed: boolean;
  readonly given: string | null;
  readonly session: string | null;
  readonly step_name: string | null;
  readonly tool_name: string | null;
  readonly fact: Fact;
}

/** The place of an event among those of its task: its time, then its id. */
export const EventKey = z.tuple([z.number(), z.string()]);
export type EventKey = z.infer<typeof EventKey>;

/** The order of events. */
export function compareKeys([a, x]: EventKey, [b, y]: EventKey): number {
  return a - b || compareText(x, y);
}

/** Milliseconds: of what is reported for one moment, a tool's end follows its start, and an error the tool that met it. */
const TICK = 1 / 1024;
/** Milliseconds by which a client's clock may be ahead: a later time is a mistake, and would stay the newest. */
const AHEAD = 86_400_000;

/** Reads an event that a client reported: texts masked and cut, names as they are stored. @param context.now Milliseconds. */
export function readEvent(
  said: ReportedEvent,
  { placeOf, now }: { readonly placeOf: PlaceOf; readonly now: number },
): { readonly event: NewEvent; readonly warnings: readonly string[] } {
  const { kind, event_id, step_id, tool_id, ts } = said;
  const task = said.task_id || null;
  const session = said.session_id ? storedSession(said.session_id) : null;
  const read = (payload: unknown) => normalise(kind, payload, { placeOf, session });
  const { fact, warnings } =
    withinEventTime(() => read(said.payload))?.done ?? read(withoutTexts(said.payload));
  const given = ts === undefined ? null : timeOf(ts);
  const time = given !== null && given > now + AHEAD ? null : given;
  const isNoTime = time === null && ts !== undefined;
  return {
    event: {
      id: event_id ? traceId('event', kind, task ?? '', session ?? '', event_id) : null,
      at: (time ?? now) + EVENT_KINDS.indexOf(kind) * TICK,
      timed: time !== null,
      given: task === null ? null : namedTask(task),
      session,
      step_name: step_id ? storedName('step', step_id) : null,
      tool_name: tool_id ? storedName('tool', tool_id) : null,
      fact,
    },
    warnings: isNoTime
      ? [
          ...warnings,
          `ts: '${ts}' is ${given === null ? 'no time' : 'yet to come'}; the event counts as of now`,
        ]
      : warnings,
  };
}

const box = createContext({ work: null });
const script = new Script('work()');

/**
 * Runs work on an event, and stops it after some milliseconds, even inside a regular expression: all of it
 * should take linear time; this guards against mistakes. The work must not change anything outside itself.
 * @returns null when the time was up.
 */
export function withinEventTime<T>(
  work: () => T,
  ms: number = LIMITS.eventTime.max,
): { readonly done: T } | null {
  let done: { readonly done: T } | null = null;
  const before = box.work;
  box.work = () => {
    done = { done: work() };
  };
  try {
    script.runInContext(box, { timeout: ms });
  } catch (thrown) {
    if (Object(thrown).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw thrown;
    return null;
  } finally {
    box.work = before;
  }
  return done;
}
