import type { Json } from './random.js';

/**
 * Makes an input smaller as long as it still fails (delta debugging): parts of lists, objects and texts are left out,
 * halves first, and what is left is looked into.
 *
 * @param fails Whether an input fails in the same way.
 * @param until When it has to end, by `performance.now()`.
 */
export async function minimised(
  input: Json,
  fails: (candidate: Json) => Promise<boolean>,
  until: number,
): Promise<Json> {
  const isTime = () => performance.now() < until;
  if (typeof input === 'string') {
    const lines = await fewest(input.split('\n'), (left) => fails(left.join('\n')), isTime);
    const text = lines.join('\n');
    // By code unit: half of a pair may be what it takes.
    const units = text.length > 5000 ? [text] : text.split('');
    return (await fewest(units, (left) => fails(left.join('')), isTime)).join('');
  }
  if (Array.isArray(input)) {
    const left = await fewest(input, fails, isTime);
    for (const [at, one] of left.entries())
      left[at] = await minimised(one, (other) => fails(left.with(at, other)), until);
    return left;
  }
  if (typeof input === 'object' && input !== null) {
    const entries = await fewest(Object.entries(input), (left) => fails(objectOf(left)), isTime);
    for (const [at, [key, value]] of entries.entries()) {
      const within = (other: Json) => fails(objectOf(entries.with(at, [key, other])));
      entries[at] = [key, await minimised(value, within, until)];
    }
    return objectOf(entries);
  }
  return input;
}

/** The fewest of some parts with which it still fails, as far as leaving out runs of them tells. */
async function fewest<T>(
  parts: readonly T[],
  fails: (left: T[]) => Promise<boolean>,
  isTime: () => boolean,
): Promise<T[]> {
  let left = [...parts];
  for (
    let size = Math.ceil(left.length / 2);
    size >= 1 && isTime();
    size = size === 1 ? 0 : Math.ceil(size / 2)
  )
    for (let at = 0; at < left.length && isTime(); ) {
      const without = [...left.slice(0, at), ...left.slice(at + size)];
      if (await fails(without)) left = without;
      else at += size;
    }
  return left;
}

function objectOf(entries: readonly (readonly [string, Json])[]): Json {
  // A key may be `__proto__`.
  return Object.fromEntries(entries);
}
