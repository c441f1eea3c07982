import type { Ranked } from './rank.js';

/** How sure it is that an attempt is alike. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
/** One of {@link CONFIDENCES}. */
export type Confidence = (typeof CONFIDENCES)[number];

/**
 * What the likeness must reach, as shares of the largest there could be. Below half, a failure has more that is new
 * than what it shares with any earlier one. Prompts say one thing in many words: a third in common is much.
 */
const FLOORS = {
  failure: { medium: 0.5, high: 0.7 },
  prompt: { medium: 0.3, high: 0.5 },
} as const;

/**
 * How sure a match is. It rests on the texts and on what failed alone: attempts that only files lead to are `low`,
 * so that there is silence where nothing alike ever happened.
 */
export function confidenceOf({ failure, likeness }: Pick<Ranked, 'failure' | 'likeness'>): Confidence {
  const { medium, high } = FLOORS[failure ? 'failure' : 'prompt'];
  const score = likeness?.score ?? 0;
  if (score >= high) return 'high';
  return score >= medium ? 'medium' : 'low';
}
