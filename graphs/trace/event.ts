import { createContext, Script } from 'node:vm';
import { z } from 'zod';
import { compareText } from '../../runtime/index.js';
import { EVENT_KINDS, type EventKind, LIMITS, timeOf } from '../../schema/index.js';
import { storedText, withoutTexts } from '../../source/index.js';
import { type EventContext, type Fact, type Normalised, normalise } from './fact.js';
import { namedTask, storedName, storedSession, traceId } from './ids.js';
import type { PlaceOf } from './places.js';

const text = z.string();
const optionalText = text.nullish();

/** The fields of an event's identity and place, besides its kind and payload. */
export const EVENT_NAMES = {
  task_id: optionalText.describe('As answered; none: new task'),
  step_id: optionalText,
  tool_id: optionalText,
  // An event with an id counts once, however often it is given.
  event_id: text.optional(),
  session_id: text.optional(),
  ts: z.union([z.number(), text]).optional(),
};

/** An event as a client reports it. */
export interface ReportedEvent {
  readonly kind: EventKind;
  readonly payload: unknown;
  readonly task_id?: string | null | undefined;
  readonly step_id?: string | null | undefined;
  readonly tool_id?: string | null | undefined;
  readonly event_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly ts?: string | number | undefined;
}

/** An event that is to be recorded: normalised, with its names as they are stored. */
export interface NewEvent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether `at` is the time that the client gave; else of two such events the one that arrived later is later. */
  readonly timed: boolean;
  /** The task that it names. */
  readonly given: string | null;
  /** As `storedSession` gives it. */
  readonly session: string | null;
  /** As `storedName` gives them. */
  readonly stepName: string | null;
  readonly toolName: string | null;
  readonly fact: Fact;
}

/** The place of an event among those of its task: its time, then its id (C-02). */
export const EventKey = z.tuple([z.number(), z.string()]);
/** See {@link EventKey}. */
export type EventKey = z.infer<typeof EventKey>;

/** The order of events. */
export function compareKeys([a, x]: EventKey, [b, y]: EventKey): number {
  return a - b || compareText(x, y);
}

/** Milliseconds: of what is reported for one moment, a tool's end follows its start, and an error the tool that met it. */
const TICK = 1 / 1024;
/** Milliseconds in which one text of an event that took too long has to be checked. */
const TEXT_TIME = 100;

/** A normalised event. Its id is null where the client gave it none. */
export interface ReadEvent {
  readonly event: Omit<NewEvent, 'id'> & { readonly id: string | null };
  readonly warnings: readonly string[];
}

/**
 * Reads an event that a client reported: texts masked and cut, names as they are stored.
 *
 * @param context.now Milliseconds since 1970, for an event without a time.
 * @throws CodewalkError `INVALID_INPUT` naming what does not fit.
 */
export function readEvent(said: ReportedEvent, context: { placeOf: PlaceOf; now: number }): ReadEvent {
  const { kind, event_id, step_id, tool_id, ts } = said;
  const task = said.task_id || null;
  const session = said.session_id ? storedSession(said.session_id) : null;
  const { fact, warnings } = inTime(kind, said.payload, { placeOf: context.placeOf, sessionId: session });
  const time = ts === undefined ? null : timeOf(ts);
  const isNoTime = time === null && ts !== undefined;
  return {
    event: {
      id: event_id ? traceId('event', kind, task ?? '', session ?? '', event_id) : null,
      at: (time ?? context.now) + EVENT_KINDS.indexOf(kind) * TICK,
      timed: time !== null,
      given: task === null ? null : namedTask(task),
      session,
      stepName: step_id ? storedName('step', step_id) : null,
      toolName: tool_id ? storedName('tool', tool_id) : null,
      fact,
    },
    warnings: isNoTime ? [...warnings, `ts: '${ts}' is no time; the event counts as of now`] : warnings,
  };
}

/** A text that takes too long to check is left out; where no single one does, all are. */
function inTime(kind: EventKind, payload: unknown, context: EventContext): Normalised {
  const whole = withinEventTime(() => normalise(kind, payload, context));
  if (whole) return whole.done;
  const until = performance.now() + LIMITS.eventTime.max;
  const isSlow = (one: string) =>
    performance.now() > until || withinEventTime(() => storedText(one, one.length), TEXT_TIME) === null;
  const rest = withoutTexts(payload, isSlow);
  const part = withinEventTime(() => normalise(kind, rest, context));
  return (part ?? { done: normalise(kind, withoutTexts(payload), context) }).done;
}

const box = createContext({ work: null });
const script = new Script('work()');

/**
 * Runs work on an event, and stops it after a time, even inside a regular expression. All of that work should take
 * linear time; this guards against mistakes. The work may stop anywhere, so it must not change anything outside itself.
 *
 * @param ms Milliseconds that the work gets. Default: `LIMITS.eventTime`.
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
