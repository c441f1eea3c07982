import { createHash } from 'node:crypto';
import type { Slot } from '../../runtime/index.js';

/** Sessions of which it is kept what was told: the latest. */
const MOST_SESSIONS = 64;

/** What a session was told. */
interface Told {
  readonly keys: Set<string>;
  tokens: number;
}

/** What sessions were told: nothing twice, and no more than their budget. Holds hashes, nothing that could be read. */
export class ToldBefore {
  readonly #sessions = new Map<string, Told>();

  /** Tokens that a session was given. */
  tokensOf(session: string): number {
    return this.#sessions.get(hashOf(session))?.tokens ?? 0;
  }

  /** Whether a session was told this. */
  has(session: string, key: string): boolean {
    return this.#sessions.get(hashOf(session))?.keys.has(hashOf(session, key)) ?? false;
  }

  /** Takes note of what a session is told. */
  add(session: string, keys: readonly string[], tokens: number): void {
    const name = hashOf(session);
    const told = this.#sessions.get(name) ?? { keys: new Set(), tokens: 0 };
    for (const key of keys) told.keys.add(hashOf(session, key));
    told.tokens += tokens;
    this.#sessions.delete(name);
    this.#sessions.set(name, told);
    for (const oldest of this.#sessions.keys()) {
      if (this.#sessions.size <= MOST_SESSIONS) break;
      this.#sessions.delete(oldest);
    }
  }
}

/** Kept beside an open graph. */
export const TOLD_BEFORE: Slot<ToldBefore> = { name: 'told before', make: () => new ToldBefore() };

function hashOf(...parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 22);
}
