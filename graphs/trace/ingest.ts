import { CodewalkError, Task, TraceEvent } from '../../schema/index.js';
import { type NewEvent, type ReportedEvent, readEvent } from './event.js';
import { placesIn } from './places.js';
import { type RecordContext, type Recorded, recordEvents } from './record.js';

/** The result of ingesting one event. A refused one does not fit; nothing of it is recorded. */
export type Ingested =
  | {
      readonly outcome: 'recorded' | 'known';
      readonly placed: Recorded;
      readonly warnings: readonly string[];
    }
  | { readonly outcome: 'refused'; readonly error: CodewalkError };

/** A reported event, and the time at which it was: milliseconds since 1970, where it says none itself. */
export interface Arrival {
  readonly said: ReportedEvent;
  readonly at: number;
  /** Whether `at` was fixed when the event was recorded, so that it does not depend on other events. */
  readonly timed: boolean;
}

/**
 * Reads and records reported events, each once; one that does not fit is refused by itself.
 * @param finish Completes a fact.
 */
export async function ingest(
  arrivals: readonly Arrival[],
  context: RecordContext & { readonly projectRoot: string | null },
  finish: (fact: NewEvent['fact'], payload: unknown) => Promise<NewEvent['fact']>,
): Promise<Ingested[]> {
  const placeOf = placesIn(context.projectRoot);
  const fresh: NewEvent[] = [];
  const indexes = new Map<string | null, number>();
  type Result = (recorded: readonly Recorded[]) => Ingested;
  const read = async ({ said, at, timed }: Arrival): Promise<Result> => {
    const { event, warnings } = readEvent(said, { placeOf, now: at });
    const { id, given } = event;
    const [before] = id === null ? [] : await context.nodesOf(TraceEvent, [id]);
    if (before && !before.gone) {
      const { task, step, tool } = before;
      return () => ({ outcome: 'known', placed: { task, step, tool, opened: false }, warnings });
    }
    const type = given === null ? Task : ((await context.node(given))?.archetype ?? Task);
    if (type.name !== Task.name)
      throw new CodewalkError('INVALID_INPUT', `task_id: '${given}' is a ${type.name}`, { input: given });
    const known = id === null ? undefined : indexes.get(id);
    const index = known ?? fresh.length;
    if (known === undefined) {
      indexes.set(id, index);
      const fact = await finish(event.fact, said.payload);
      fresh.push({ ...event, timed: event.timed || timed, fact });
    }
    const outcome = known === undefined ? 'recorded' : 'known';
    return (recorded) => ({ outcome, placed: recorded[index] as Recorded, warnings });
  };
  const results: Result[] = [];
  for (const arrival of arrivals) results.push(await read(arrival).catch(refused));
  const recorded = await recordEvents(fresh, context);
  return results.map((result) => result(recorded));
}

function refused(error: unknown): () => Ingested {
  if (error instanceof CodewalkError && error.code === 'INVALID_INPUT')
    return () => ({ outcome: 'refused', error });
  throw error;
}
