import type { IdHash } from '../../storage/hash.js';

/** Ten ids share 256 keys, so that collisions are common. */
export const narrowHash: IdHash = (text, salt, target, at, from, to) => {
  let sum = salt * 31;
  for (const unit of text.slice(from, to)) sum = (sum * 33 + (unit.codePointAt(0) ?? 0)) % 65_521;
  target.fill(0, at, at + 8);
  target[at + 5] = sum;
};

export const narrow = (id: string) => {
  const key = Buffer.alloc(8);
  narrowHash(id, 0, key, 0, 0, id.length);
  return key[5];
};
