import { z } from 'zod';
import { CodewalkError, EVENT_KINDS, type EventKind, LIMITS, Task } from '../../schema/index.js';
import { keptName, keptSession, namedTask, traceId } from './event-ids.js';
import { withinEventTime, withoutTexts } from './event-time.js';
import type { Fact } from './fact.js';
import { keptText } from './kept-text.js';
import { type Around, type Normalised, normalised } from './normalise.js';
import type { RecordContext } from './record-context.js';
import { timeOf } from './times.js';
import type { PlaceOf } from './touched-files.js';

const text = z.string();
const optionalText = text.nullish();

/** What names an event and where it belongs, beside its kind and payload. */
export const EVENT_NAMES = {
  task_id: optionalText.describe('As answered; none: new task'),
  step_id: optionalText,
  tool_id: optionalText,
  // An event with an id counts once, however often it is given.
  event_id: text.optional(),
  session_id: text.optional(),
  ts: z.union([z.number(), text]).optional(),
};

/** An event as a client tells it. */
export interface ToldEvent {
  readonly kind: EventKind;
  readonly payload: unknown;
  readonly task_id?: string | null | undefined;
  readonly step_id?: string | null | undefined;
  readonly tool_id?: string | null | undefined;
  readonly event_id?: string | undefined;
  readonly session_id?: string | undefined;
  readonly ts?: string | number | undefined;
}

/** An event that is to be recorded: normalised, its names as they are kept. */
export interface NewEvent {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Whether that is the time it says; else of two such events the one that came later is later. */
  readonly told: boolean;
  /** The task that it names. */
  readonly given: string | null;
  /** As `keptSession` gives it. */
  readonly session: string | null;
  /** As `keptName` gives them. */
  readonly stepName: string | null;
  readonly toolName: string | null;
  readonly fact: Fact;
}

/** Milliseconds: of what is told of one moment the end of a tool follows its start, and an error the tool that met it. */
const TICK = 1 / 1024;

/** Milliseconds in which one text of an event that took too long has to be checked. */
const TEXT_TIME = 100;

/** An event that was told, ready but for its identity where it told none. */
export interface Told {
  readonly event: Omit<NewEvent, 'id'> & { readonly id: string | null };
  readonly warnings: readonly string[];
}

/**
 * Takes what a client told: texts masked and cut, names as they are kept.
 *
 * @param around.now Milliseconds since 1970, for an event that tells no time.
 * @throws CodewalkError `INVALID_INPUT` naming what does not fit.
 */
export function toldEvent(said: ToldEvent, around: { placeOf: PlaceOf; now: number }): Told {
  const { kind, event_id, step_id, tool_id, ts } = said;
  const named = said.task_id || null;
  const session = said.session_id ? keptSession(said.session_id) : null;
  const { fact, warnings } = inTime(kind, said.payload, { placeOf: around.placeOf, sessionId: session });
  const told = ts === undefined ? null : timeOf(ts);
  return {
    event: {
      id: event_id ? traceId('event', kind, named ?? '', session ?? '', event_id) : null,
      at: (told ?? around.now) + EVENT_KINDS.indexOf(kind) * TICK,
      told: told !== null,
      given: named === null ? null : namedTask(named),
      session,
      stepName: step_id ? keptName('step', step_id) : null,
      toolName: tool_id ? keptName('tool', tool_id) : null,
      fact,
    },
    warnings:
      told === null && ts !== undefined
        ? [...warnings, `ts: '${ts}' is no time; the event counts as of now`]
        : warnings,
  };
}

/** A text that takes too long to check is left out; where none does by itself all are. */
function inTime(kind: EventKind, payload: unknown, around: Around): Normalised {
  const whole = withinEventTime(() => normalised(kind, payload, around));
  if (whole) return whole.done;
  const until = performance.now() + LIMITS.eventTime.max;
  const isSlow = (text: string) =>
    performance.now() > until || withinEventTime(() => keptText(text, text.length), TEXT_TIME) === null;
  const checked = withoutTexts(payload, isSlow);
  const part = withinEventTime(() => normalised(kind, checked, around));
  return (part ?? { done: normalised(kind, withoutTexts(payload), around) }).done;
}

/** Of names of tasks those that something else in the graph has, with what it is. */
export async function takenNames(
  names: readonly string[],
  { nodes }: Pick<RecordContext, 'nodes'>,
): Promise<ReadonlyMap<string, string>> {
  const found = await nodes(names);
  return new Map(
    names.flatMap((name, at) => {
      const type = found[at]?.archetype.name;
      return type === undefined || type === Task.name ? [] : [[name, type]];
    }),
  );
}

/** The error of a task_id that is the id of something else. */
export function noTask(name: string, type: string): CodewalkError {
  return new CodewalkError('INVALID_INPUT', `task_id: '${name}' is a ${type}`, { input: name });
}
