/** What a mean that nobody stated begins at, and how many outcomes it weighs as much as. */
const PRIOR_MEAN = 0.5;
const PRIOR_WEIGHT = 2;

/** Digits that a mean is kept with. */
const DIGITS = 1e6;

/** Outcomes that were counted, and the mean that they have come to. */
export interface Outcomes {
  /** From 0 to 1; null: nobody said, and there was none. */
  readonly mean: number | null;
  readonly validation_count: number;
  readonly counter_evidence_count: number;
}

/**
 * The mean after one more outcome: that of a Beta distribution whose prior weighs as much as two outcomes,
 *
 *     mean' = (mean · (n + 2) + outcome) / (n + 3)
 *
 * with n the outcomes before and 1 for a success, 0 for a failure. Where nobody stated a mean it begins at one half, so
 * after s successes and f failures it is (s + 1) / (s + f + 2): one success says 0.67, ten say 0.92, and none is
 * ever sure. A mean that somebody stated is believed as if it were one of n + 2 outcomes.
 */
export function meanAfter(
  { mean, validation_count, counter_evidence_count }: Outcomes,
  success: boolean,
): number {
  const weight = validation_count + counter_evidence_count + PRIOR_WEIGHT;
  const next = ((mean ?? PRIOR_MEAN) * weight + (success ? 1 : 0)) / (weight + 1);
  return Math.round(next * DIGITS) / DIGITS;
}
