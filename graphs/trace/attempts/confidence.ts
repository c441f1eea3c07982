/** How sure it is that an attempt is similar. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
/** One of {@link CONFIDENCES}. */
export type Confidence = (typeof CONFIDENCES)[number];

/** What confidence rests on. */
export interface Evidence {
  readonly score: number;
  readonly rareness: number;
  readonly words: number;
  readonly asked: number;
  readonly same: boolean;
}

export function confidences(found: readonly Evidence[], isFailure: boolean): Confidence[] {
  return found.map(({ score, same }) => {
    if (isFailure) return score >= 0.65 ? 'high' : same || score >= 0.3 ? 'medium' : 'low';
    return score >= 0.5 ? 'high' : 'low';
  });
}
