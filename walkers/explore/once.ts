import type { ReadContext, Slot } from '../../runtime/index.js';

/** What was read last, and of which version. */
interface Last<T> {
  version: number | null;
  key: string;
  value: T | null;
}

/** A slot for what pages read of the whole graph. @param name For messages. */
export function lastOf<T>(name: string): Slot<Last<T>> {
  return { name, make: () => ({ version: null, key: '', value: null }) };
}

/** What was read of this version before, else reads it: pages of one kind follow from the same. @param key Of what it is. */
export async function once<T>(
  { cached }: Pick<ReadContext, 'cached'>,
  slot: Slot<Last<T>>,
  version: number | null,
  read: () => Promise<T>,
  key = '',
): Promise<T> {
  const last = cached(slot);
  const isSame = version !== null && last.version === version && last.key === key;
  if (isSame && last.value !== null) return last.value;
  const value = await read();
  Object.assign(last, { version, key, value });
  return value;
}
