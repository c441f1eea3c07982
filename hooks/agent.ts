import type { HookMoment } from './moment.js';
import type { Payload } from './read-payload.js';
import type { Told } from './told.js';

/** What is known of one client: how its payloads read, and what it may be given when. Pure; nothing of it throws. */
export interface Agent {
  /** As `--client` says it. */
  readonly name: string;
  /** What a payload tells; null where it is none of this client's. */
  tell(payload: Payload): Told | null;
  /** Which moment this is, if the client delivers at it what it is given; null: it is given nothing. */
  momentOf(told: Told): HookMoment | null;
  /** The whole standard output of the hook that gives the client a text. */
  wrap(told: Told, text: string): string;
}
