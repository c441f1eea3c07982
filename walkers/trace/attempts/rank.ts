import { compareText } from '../../../runtime/index.js';
import type { AttemptIndex, KnownAttempt } from './attempt-index.js';
import { fileLink } from './attempt-text.js';
import { type Likeness, likenessesTo } from './likeness.js';
import { scoresByFiles, scoresByMatches } from './links.js';

/*
 * A question is a task's prompt or what a failing command printed. Failures are told apart by their text and by what
 * failed; there the attempts around a good match only mislead. A prompt says less: what the best matches touched
 * leads to more attempts, files that are about to be touched say much, and recent attempts are likelier.
 */

/** What sharing the files asked for weighs, beside the best text. */
const FILES = { prompt: 1, failure: 0.1 };
/** What the best matches lead to weighs, beside the best text. */
const LINKS = { prompt: 0.75, failure: 0 };
/** What being the latest attempt adds, and after how many later attempts that has faded to 1/e. */
const RECENCY = { prompt: 0.1, failure: 0 };
const RECENT = 50;
/** What a success adds: it can be repeated. */
const SUCCESS = 0.02;

/** What is asked. */
export interface Question {
  readonly query: string;
  /** The question is what this command printed when it failed (null: no command did); absent: the text tells. */
  readonly failed?: { readonly command: string | null };
  /** Root-relative paths; empty: none. */
  readonly files: readonly string[];
  /** Leave out attempts that touched none of the files. */
  readonly strict: boolean;
  /** The most attempts that are wanted. */
  readonly limit: number;
}

/** An attempt that answers a question, and why. */
export interface Ranked {
  readonly attempt: KnownAttempt;
  /** From 0 to 1. */
  readonly score: number;
  /** Null where only files or other attempts lead to it. */
  readonly likeness: Likeness | null;
  /** The files asked for that it touched. */
  readonly sharedFiles: readonly string[];
  /** The words that tell most of what it has of the question, the most telling first. */
  readonly words: readonly string[];
}

/** The attempts that have anything in common with a question, the most alike first; open ones last; ties by id. */
export function rankAttempts(
  index: AttemptIndex,
  { query, failed, files, strict, limit }: Question,
): Ranked[] {
  const { failure, byAttempt, wordsOf } = likenessesTo(index, query, failed);
  const kind = failure ? 'failure' : 'prompt';
  const scores = new Map([...byAttempt].map(([id, { score }]) => [id, score]));
  const top = Math.max(0, ...scores.values());
  const byFiles = files.length > 0 ? FILES[kind] : 0;
  if (byFiles > 0) addTo(scores, scoresByFiles(index, files.map(fileLink)), byFiles * (top || 1));
  if (LINKS[kind] > 0) addTo(scores, scoresByMatches(index, scores), LINKS[kind] * top);

  const ages = index.ages();
  const whole = (1 + byFiles + LINKS[kind]) * (1 + RECENCY[kind] + SUCCESS);
  const ranked: Omit<Ranked, 'words'>[] = [];
  for (const [id, sum] of scores) {
    const attempt = index.of(id);
    if (!attempt) continue;
    const sharedFiles = files.filter((file) => attempt.files.has(file));
    if (strict && files.length > 0 && sharedFiles.length === 0) continue;
    const recent = RECENCY[kind] * Math.exp(-(ages.get(id) ?? 0) / RECENT);
    const score = (sum * (1 + recent + (attempt.succeeded ? SUCCESS : 0))) / whole;
    ranked.push({ attempt, score, likeness: byAttempt.get(id) ?? null, sharedFiles });
  }
  const best = ranked.sort(byRank).slice(0, limit);
  return best.map((one) => ({ ...one, words: wordsOf(one.attempt.id) }));
}

/** An attempt that goes on may be the one that asks: it knows no outcome yet, and must not crowd out others. */
function byRank(a: Omit<Ranked, 'words'>, b: Omit<Ranked, 'words'>): number {
  return (
    Number(a.attempt.open) - Number(b.attempt.open) ||
    b.score - a.score ||
    compareText(b.attempt.created_at, a.attempt.created_at) ||
    compareText(a.attempt.id, b.attempt.id)
  );
}

function addTo(scores: Map<string, number>, more: ReadonlyMap<string, number>, weight: number): void {
  for (const [id, score] of more) scores.set(id, (scores.get(id) ?? 0) + weight * score);
}
