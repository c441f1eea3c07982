import type { NodeRef } from '../../runtime/index.js';
import { CodewalkError, Task, TraceEvent } from '../../schema/index.js';
import { type NewEvent, type ReportedEvent, readEvent } from './event.js';
import { placesIn } from './places.js';
import { type RecordContext, type Recorded, recordEvents } from './record.js';

/** The result of ingesting one event. */
export type Ingested =
  | {
      readonly outcome: 'recorded' | 'known';
      readonly placed: Recorded;
      readonly warnings: readonly string[];
    }
  /** It does not fit; nothing of it is recorded. */
  | { readonly outcome: 'refused'; readonly error: CodewalkError };

/** A reported event, and the time at which it was: milliseconds since 1970, where it says none itself. */
export interface Arrival {
  readonly said: ReportedEvent;
  readonly at: number;
  /** Whether `at` was fixed when the event was recorded, so that it does not depend on other events. */
  readonly timed: boolean;
}

/**
 * Reads and records reported events. An event that is stored already counts once; one that does not fit is refused by
 * itself.
 *
 * @param finish Adds to an event's fact what its payload says beyond it.
 * @returns the results in the order of the events.
 */
export async function ingest(
  arrivals: readonly Arrival[],
  context: RecordContext & { readonly projectRoot: string | null },
  finish: (fact: NewEvent['fact'], payload: unknown) => Promise<NewEvent['fact']>,
): Promise<Ingested[]> {
  const placeOf = placesIn(context.projectRoot);
  const read = arrivals.map(({ said, at, timed }) => {
    try {
      const { event, warnings } = readEvent(said, { placeOf, now: at });
      return { event: { ...event, timed: event.timed || timed }, payload: said.payload, warnings };
    } catch (thrown) {
      if (thrown instanceof CodewalkError && thrown.code === 'INVALID_INPUT') return thrown;
      throw thrown;
    }
  });
  const ids = read.flatMap((one) => (one instanceof CodewalkError ? [] : (one.event.id ?? [])));
  const stored = await context.nodesOf(TraceEvent, [...new Set(ids)]);
  const known = new Map(stored.flatMap((node) => (node.gone ? [] : [[node.id, node] as const])));
  const taken = await takenNames(read, context);
  const fresh = new Map<string, NewEvent>();
  const made = new Map<string, NodeRef<typeof TraceEvent>>();
  const results: ((recorded: ReadonlyMap<string, Recorded>) => Ingested)[] = [];
  for (const one of read) {
    if (one instanceof CodewalkError) {
      results.push(() => ({ outcome: 'refused', error: one }));
      continue;
    }
    const { event, payload, warnings } = one;
    const before = known.get(event.id ?? '');
    if (before) {
      const { task, step, tool } = before;
      results.push(() => ({ outcome: 'known', placed: { task, step, tool, opened: false }, warnings }));
      continue;
    }
    const type = taken.get(event.given ?? '');
    if (type !== undefined) {
      const error = new CodewalkError('INVALID_INPUT', `task_id: '${event.given}' is a ${type}`, {
        input: event.given,
      });
      results.push(() => ({ outcome: 'refused', error }));
      continue;
    }
    const fact = await finish(event.fact, payload);
    // The graph names events to which the client gave no id.
    const node = event.id === null ? await context.create(draftOf(event)) : null;
    const id = event.id ?? node?.id ?? '';
    if (node) made.set(id, node);
    const outcome = fresh.has(id) ? 'known' : 'recorded';
    if (!fresh.has(id)) fresh.set(id, { ...event, id, fact });
    results.push((recorded) => ({ outcome, placed: recorded.get(id) ?? NOWHERE, warnings }));
  }
  const recorded = await recordEvents([...fresh.values()], context, {}, made);
  return results.map((result) => result(recorded));
}

const NOWHERE: Recorded = { task: '', step: null, tool: null, opened: false };

function draftOf({ fact, at }: Pick<NewEvent, 'fact' | 'at'>) {
  return TraceEvent({ kind: fact.kind, fact, at, task: '' });
}

/** Of the task ids that events name, those of other nodes, with their types. */
async function takenNames(
  read: readonly (CodewalkError | { readonly event: Pick<NewEvent, 'given'> })[],
  { nodes }: Pick<RecordContext, 'nodes'>,
): Promise<ReadonlyMap<string, string>> {
  const given = read.flatMap((one) => (one instanceof CodewalkError ? [] : (one.event.given ?? [])));
  const names = [...new Set(given)];
  const found = await nodes(names);
  return new Map(
    names.flatMap((name, at) => {
      const type = found[at]?.archetype.name;
      return type === undefined || type === Task.name ? [] : [[name, type] as const];
    }),
  );
}
