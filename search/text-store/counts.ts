/*
 * How often a word stands in each field of a document, as a run of numbers. Nearly all words stand in one field: of them
 * it is one even number, which tells the field and how often. Of others it is an odd one, which tells the fields, and
 * behind it how often in each of them. Runs of many documents stand one behind the other and are read in order.
 */

/** Stands where a document has a word no more. */
export const GONE = -1;

/**
 * Puts counts per field behind others. Without any, nothing.
 *
 * @returns Whether there was any.
 */
export function pushCounts(to: number[], counts: readonly number[]): boolean {
  let mask = 0;
  let last = 0;
  for (let field = 0; field < counts.length; field++)
    if (counts[field]) {
      mask |= 1 << field;
      last = field;
    }
  if (mask === 0) return false;
  if (mask === 1 << last) to.push((((counts[last] ?? 0) - 1) * counts.length + last) * 2);
  else {
    to.push(mask * 2 + 1);
    for (const count of counts) if (count) to.push(count);
  }
  return true;
}

/** Over how many numbers counts go that begin with this one. */
export function widthOf(first: number): number {
  if (first === GONE || first % 2 === 0) return 1;
  let width = 1;
  for (let mask = first >> 1; mask > 0; mask >>= 1) width += mask & 1;
  return width;
}

/** Tells the count of each field that has any, in the order of the fields. @param at Where the counts begin. */
export function eachCount(
  from: readonly number[],
  at: number,
  fields: number,
  take: (field: number, count: number) => void,
): void {
  const first = from[at] ?? 0;
  if (first === GONE) return;
  if (first % 2 === 0) {
    const both = first / 2;
    take(both % fields, Math.floor(both / fields) + 1);
    return;
  }
  let next = at + 1;
  for (let field = 0, mask = first >> 1; mask > 0; field++, mask >>= 1)
    if (mask & 1) take(field, from[next++] ?? 0);
}

/** A word's weight in a document: its counts, each by the weight of its field. @param at Where they begin. */
export function weightedCount(from: readonly number[], at: number, weights: readonly number[]): number {
  const first = from[at] ?? 0;
  if (first === GONE) return 0;
  if (first % 2 === 0) {
    const both = first / 2;
    const field = both % weights.length;
    return (weights[field] ?? 0) * ((both - field) / weights.length + 1);
  }
  let sum = 0;
  let next = at + 1;
  for (let field = 0, mask = first >> 1; mask > 0; field++, mask >>= 1)
    if (mask & 1) sum += (weights[field] ?? 0) * (from[next++] ?? 0);
  return sum;
}

/** The count of each field. @param at Where they begin. */
export function countsAt(from: readonly number[], at: number, fields: number): number[] {
  const counts = new Array<number>(fields).fill(0);
  eachCount(from, at, fields, (field, count) => {
    counts[field] = count;
  });
  return counts;
}
