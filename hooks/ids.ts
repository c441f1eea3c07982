import { createHash } from 'node:crypto';

/** Hexadecimal digits: 128 bits, so that no two events of a lifetime meet. */
const DIGITS = 32;

/** The identity of an event: the same for the same parts, whenever its payload is read again (C-02). */
export function eventId(...parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, DIGITS);
}

/** The task of a prompt that the client names. */
export function taskId(client: string, prompt: string): string {
  return `task:${eventId(client, prompt)}`;
}
