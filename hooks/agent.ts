import type { HookText } from '../host/index.js';
import type { Payload } from './read-payload.js';
import type { Told } from './told.js';

/** When an agent may be given something, as the walker `hook_answer` names it. */
type HookMoment =
  | 'session_start'
  | 'prompt'
  | 'read'
  | 'read_history'
  | 'before_edit'
  | 'before_command'
  | 'edited'
  | 'failure';

/** What is known of one client: how its payloads read, and what it may be given when. Pure; nothing of it throws. */
export interface Agent {
  /** As `--client` says it. */
  readonly name: string;
  /** What a payload tells; null where it is none of this client's. */
  tell(payload: Payload): Told | null;
  /** Which moment this is, if the client delivers at it what it is given; null: it is given nothing. */
  momentOf(told: Told): HookMoment | null;
  /** The whole standard output of the hook that gives the client a text; a notice only where people are shown it. */
  wrap(told: Told, said: HookText): string;
}
