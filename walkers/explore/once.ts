import type { ReadContext, Slot } from '../../runtime/index.js';

/** What was read last, and of which version. */
interface Last<T> {
  version: number | null;
  value: T | null;
}

/** A slot for what pages read of the whole graph. @param name For messages. */
export function lastOf<T>(name: string): Slot<Last<T>> {
  return { name, make: () => ({ version: null, value: null }) };
}

/** What was read of this version before, else reads it: every page of one kind follows from the same. */
export async function once<T>(
  { cached }: Pick<ReadContext, 'cached'>,
  slot: Slot<Last<T>>,
  version: number | null,
  read: () => Promise<T>,
): Promise<T> {
  const last = cached(slot);
  if (version !== null && last.version === version && last.value !== null) return last.value;
  const value = await read();
  Object.assign(last, { version, value });
  return value;
}
