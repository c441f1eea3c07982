import { ByteReader, ByteWriter } from './bytes.js';

/** A group of documents as it is stored. */
export interface GroupRecord {
  readonly numbers: readonly number[];
  /** What `madeDocuments` made. */
  readonly made: Uint8Array;
}

/** As bytes. */
export function groupBytes({ numbers, made }: GroupRecord): Uint8Array {
  const to = new ByteWriter();
  to.number(numbers.length);
  // Documents that came together have numbers one behind the other.
  let next = 0;
  for (const number of numbers) {
    const ahead = number - next;
    to.number(ahead < 0 ? -2 * ahead - 1 : 2 * ahead);
    next = number + 1;
  }
  to.raw(made);
  return to.take();
}

/** From its bytes. */
export function groupOf(bytes: Uint8Array): GroupRecord {
  const from = new ByteReader(bytes);
  let next = 0;
  const numbers = Array.from({ length: from.number() }, () => {
    const ahead = from.number();
    const number = next + (ahead % 2 === 1 ? -(ahead + 1) / 2 : ahead / 2);
    next = number + 1;
    return number;
  });
  return { numbers, made: from.rest() };
}
