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
 * What knows agents' own payloads: `hooks/` does, and whoever starts a host hands it in. Nothing of it throws for what
 * a payload holds, or reads anything but the payload.
 */
export interface Agents {
  /**
   * The events that a payload tells, as `etg_log_event` takes them, each with an id that is the same whenever the
   * payload is read again; none where it tells nothing worth keeping. Null: no such client is known.
   */
  eventsOf(recorded: RecordedPayload): readonly JournalEvent[] | null;
  /** What the client is to be given at this moment; null: nothing. */
  questionOf(asked: AgentPayload): HookQuestion | null;
}
