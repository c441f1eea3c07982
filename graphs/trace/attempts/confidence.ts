/** How sure it is that an attempt is similar: `high`, `medium`, or `low` for what may be unrelated. */
export const CONFIDENCES = ['high', 'medium', 'low'] as const;
/** One of {@link CONFIDENCES}. */
export type Confidence = (typeof CONFIDENCES)[number];

/** What the confidence in an attempt rests on. */
export interface Evidence {
  /** From 0 to 1. */
  readonly score: number;
  /** The best score of another attempt at something else; 0: there is none. */
  readonly next: number;
  /** The rarity of all words, files and symbols that are shared, in units of a word that only one attempt has. */
  readonly rareness: number;
  /** The share of the question's words that the attempt has, from 0 to 1. */
  readonly covered: number;
  /** The recorded failure by which the attempt is found; null: its prompt, files and names are what is similar. */
  readonly failure: { readonly score: number; readonly same: boolean } | null;
}

/**
 * Logistic regression on four histories in which nothing was tuned: `node bench/attempts.mjs confidence`. What is shared
 * must be rare, and the attempt clearly ahead of others; how much of a prompt is covered says less.
 */
const PROMPT = { base: -5.48, gap: 1.16, rareness: 1.23, covered: 3.31 };
/** A larger gap says no more. */
const LARGEST_GAP = 4;
/** Probabilities, and scores of failures, from which confidence is medium and high. */
const FLOORS = { prompt: { medium: 0.4, high: 0.75 }, failure: { medium: 0.36, high: 0.65 } };

/** The confidence in an attempt. */
export function confidenceOf({ score, next, rareness, covered, failure }: Evidence): Confidence {
  const gap = next > 0 ? Math.min(score / next, LARGEST_GAP) : LARGEST_GAP;
  const logit =
    PROMPT.base + PROMPT.gap * Math.log(gap) + PROMPT.rareness * rareness + PROMPT.covered * covered;
  if (failure === null) return levelOf(1 / (1 + Math.exp(-logit)), FLOORS.prompt);
  const level = levelOf(failure.score, FLOORS.failure);
  return level === 'low' && failure.same ? 'medium' : level;
}

function levelOf(
  sure: number,
  { medium, high }: { readonly medium: number; readonly high: number },
): Confidence {
  return sure >= high ? 'high' : sure >= medium ? 'medium' : 'low';
}
