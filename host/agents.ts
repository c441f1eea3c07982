import type { JournalEvent } from './journal/read-entry.js';

/** A raw payload as a client's hook gave it. */
export interface AgentPayload {
  /** The client's name, as `--client` said it. */
  readonly client: string;
  /** As it came; UTF-8 in all likelihood. */
  readonly payload: Uint8Array;
}

/** A raw payload that the journal held. */
export interface RecordedPayload extends AgentPayload {
  /** The name of its file: it names what the client did not. */
  readonly name: string;
  /** Milliseconds since 1970 at which it was recorded; for clients that tell no time. */
  readonly at: number;
}

/** What a hook asks of the graph. */
export interface HookQuestion {
  /** Input of the walker `hook_answer`. */
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
