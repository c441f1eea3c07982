import { type TextIndexType, weightedLength } from './definition.js';

/** Steps of the code by which a length doubles: it is right to 4.5 %. */
const STEPS = 8;

/** A document's length as one byte, on a logarithmic scale; 0 stands for no document. */
export function lengthCode(type: TextIndexType, lengths: readonly number[]): number {
  const length = weightedLength(type, lengths);
  return length <= 1 ? 1 : Math.min(255, 1 + Math.round(STEPS * Math.log2(length)));
}

/** The lengths behind the codes. */
export const LENGTHS: readonly number[] = Array.from({ length: 256 }, (_, code) => 2 ** ((code - 1) / STEPS));
