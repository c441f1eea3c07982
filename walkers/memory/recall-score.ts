import type { MemoryRef } from './found-memories.js';

/** What speaks for a memory beside its words, each from 0 to 1. */
export interface RecallEvidence {
  readonly importance: number;
  /** Halves every {@link HALF_LIFE_DAYS} days since it was last said. */
  readonly recency: number;
  readonly confidence: number;
  /** Readings, saturated: five of them are a half. */
  readonly usage: number;
}

const WEIGHTS: RecallEvidence = { importance: 0.4, recency: 0.3, confidence: 0.2, usage: 0.1 };
/** The most that all of it together adds to what the words say: a quarter. */
const MOST_ADDED = 0.25;
const HALF_LIFE_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;
const HALF_USED = 5;

/** What speaks for a memory. @param now Milliseconds since 1970. */
export function recallEvidence(memory: MemoryRef, now: number): RecallEvidence {
  const { importance, confidence, usage_count, updated_at } = memory;
  const days = Math.max(0, now - (Date.parse(updated_at) || 0)) / DAY_MS;
  return {
    importance,
    recency: 2 ** (-days / HALF_LIFE_DAYS),
    confidence,
    usage: usage_count / (usage_count + HALF_USED),
  };
}

/**
 * `text * (1 + 0.25 * (0.4 importance + 0.3 recency + 0.2 confidence + 0.1 usage))`: what a memory is besides breaks
 * ties and near ties between those that the words fit alike, and never lifts one above another that they fit a
 * quarter better.
 *
 * @param text What the words say: from 0 to 1.
 */
export function recallScore(text: number, evidence: RecallEvidence): number {
  return text * (1 + MOST_ADDED * besides(evidence));
}

/** From 0 to 1. */
export function besides({ importance, recency, confidence, usage }: RecallEvidence): number {
  return (
    WEIGHTS.importance * importance +
    WEIGHTS.recency * recency +
    WEIGHTS.confidence * confidence +
    WEIGHTS.usage * usage
  );
}
