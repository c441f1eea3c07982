import type { Ranked } from './rank.js';

/** How sure it is that an attempt is alike. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
/** One of {@link CONFIDENCES}. */
export type Confidence = (typeof CONFIDENCES)[number];

/**
 * What the likeness must reach. A failure is alike where at least half of what failed is the same: half of the share
 * that the tests have in `runLikeness` is 0.4. Where no tests are named, the same reason alone, or much the same words,
 * reach it. Prompts say one thing in many words: a third in common is much.
 */
const FLOORS = {
  failure: { medium: 0.4, high: 0.7 },
  prompt: { medium: 0.3, high: 0.5 },
} as const;

/**
 * How sure a match is. Where all that is the same are reasons for which many unlike things fail (`assert False`), it is
 * never `high`. It rests on the texts and on what failed alone: attempts that only files lead to are `low`,
 * so that there is silence where nothing alike ever happened.
 */
export function confidenceOf({ likeness }: Pick<Ranked, 'likeness'>): Confidence {
  const { medium, high } = FLOORS[likeness?.asFailure ? 'failure' : 'prompt'];
  const alike = likeness?.alike ?? 0;
  if (alike >= high) return likeness?.isCommon ? 'medium' : 'high';
  return alike >= medium ? 'medium' : 'low';
}
