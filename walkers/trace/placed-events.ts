import type { NodeRef } from '../../runtime/index.js';
import type { TraceEvent } from '../../schema/index.js';
import { namedId } from './event-ids.js';
import { Fact } from './fact.js';
import type { EventKey } from './fold-state.js';

/** One event in its task. */
export interface PlacedEvent {
  readonly id: string;
  readonly task: string;
  /** Whether a session says which task, rather than the event. */
  readonly bySession: boolean;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** The step that it names; null: the one that is open. */
  readonly stepName: string | null;
  /** The use of a tool that it names; null: the latest open one of its tool. */
  readonly toolName: string | null;
  readonly fact: Fact;
}

/** Where an event went. */
export interface Placement {
  readonly step: string | null;
  readonly tool: string | null;
}

/** The place of an event among those of its task. */
export function keyOf({ at, id }: Pick<PlacedEvent, 'at' | 'id'>): EventKey {
  return [at, id];
}

/** The uses of tools that errors among these events tell of. */
export function deniedBy(events: readonly PlacedEvent[]): string[] {
  return events.flatMap(({ task, toolName, fact: { kind } }) =>
    kind === 'error' && toolName !== null ? [namedId('tool', task, toolName)] : [],
  );
}

/** A kept event, as folding wants it; null for one of an unknown shape. */
export function placedEvent({
  id,
  task,
  session,
  at,
  step_name,
  tool_name,
  fact,
}: NodeRef<typeof TraceEvent>): PlacedEvent | null {
  const { data } = Fact.safeParse(fact);
  if (data === undefined) return null;
  return {
    ...{ id, task, at, bySession: session !== null },
    ...{ stepName: step_name, toolName: tool_name, fact: data },
  };
}
