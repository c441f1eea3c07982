import { hashId, type IdHash } from '../../storage/hash.js';

/** One byte of the real hash: two dozen ids mostly collide under the first salt, and some salt separates them. */
export const narrowHash: IdHash = (text, salt, target, at, from, to) => {
  const whole = Buffer.alloc(8);
  hashId(text, salt, whole, 0, from, to);
  target.fill(0, at, at + 8);
  target[at + 5] = whole[5] ?? 0;
};

/** The byte that {@link narrowHash} leaves of an id under the first salt. */
export const narrow = (id: string) => {
  const key = Buffer.alloc(8);
  narrowHash(id, 0, key, 0, 0, id.length);
  return key[5];
};
