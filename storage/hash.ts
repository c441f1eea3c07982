/** Writes 8 bytes that depend on a part of a text (`from` to `to`) and a salt to `target` at `at`. */
export type IdHash = (
  text: string,
  salt: number,
  target: Uint8Array,
  at: number,
  from: number,
  to: number,
) => void;

/**
 * The hash behind our keys: two 32-bit lanes that each multiply and rotate per UTF-16 unit and are crossed at
 * the end. Not cryptographic: it has to be fast in JavaScript, the same on every machine, and spread evenly.
 * Collisions are found and handled when keys are written.
 */
export const hashId: IdHash = (text, salt, target, at, from, to) => {
  let a = 0x51f15eed ^ salt;
  let b = 0x2c1b3c6d ^ Math.imul(salt, 0x297a2d39);
  for (let i = from; i < to; i += 1) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x2545f491);
    a = (a << 13) | (a >>> 19);
    b = Math.imul(b + unit, 0x3243f6a9);
    b = (b << 17) | (b >>> 15);
  }
  a = scatter(a ^ (to - from));
  b = scatter(b ^ a);
  a = scatter(a + b);
  target[at] = a >>> 24;
  target[at + 1] = a >>> 16;
  target[at + 2] = a >>> 8;
  target[at + 3] = a;
  target[at + 4] = b >>> 24;
  target[at + 5] = b >>> 16;
  target[at + 6] = b >>> 8;
  target[at + 7] = b;
};

/** A bijection of 32-bit numbers in which every input bit moves about half of the output bits. */
function scatter(value: number): number {
  let x = value ^ (value >>> 15);
  x = Math.imul(x, 0x6b43a9b5);
  x ^= x >>> 13;
  x = Math.imul(x, 0x52a53b1d);
  return x ^ (x >>> 16);
}

/** 32 bits that depend on a text, and on a seed. */
export function textHash(text: string, seed = 0): number {
  let a = 0x51f15eed ^ seed;
  for (let i = 0; i < text.length; i += 1) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x2545f491);
    a = (a << 13) | (a >>> 19);
  }
  return scatter(a ^ text.length);
}
