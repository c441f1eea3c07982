import type { AgentPayload, JournalEvent, RecordedPayload } from './journal/entry.js';

/** What a hook asks of the graph. */
export interface HookQuestion {
  /** The question of the walker `trace_ingest`. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Makes the whole standard output of the hook, in the client's strict form. */
  wrap(said: HookText): string;
}

/** What a hook says; not both are null. */
export interface HookText {
  /** For the agent: the walker's text. */
  readonly text: string | null;
  /** For the person who works with the agent. */
  readonly notice: string | null;
}

/**
 * What knows agents' own payloads: `hooks/` does, and the starter of a host passes it in. It throws for no payload, and
 * reads nothing but the payload.
 */
export interface Agents {
  /**
   * The events in a payload, as `etg_log_event` takes them, each with an id that is the same whenever the payload is
   * read again; none where nothing is worth recording. Null: no such client is known.
   */
  eventsOf(recorded: RecordedPayload): readonly JournalEvent[] | null;
  /** What the client is to be given at this moment; null: nothing. */
  questionOf(asked: AgentPayload): HookQuestion | null;
}
