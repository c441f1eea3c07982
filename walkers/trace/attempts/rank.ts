import { compareText } from '../../../runtime/index.js';
import { type Likeness, likenessesTo } from './likeness.js';
import { LATEST, scoresByFiles, scoresByMatches, type Touching, touching, withTouching } from './links.js';
import { AttemptShelf, type ShelfContext } from './stored/attempt-shelf.js';
import type { AttemptSummary } from './stored/records.js';
import { sourcesOf, tellingWords } from './telling-words.js';

/*
 * A question is a task's prompt or what a failing command printed. Failures are told apart by their text and by what
 * failed; there the attempts around a good match only mislead. A prompt says less: what the best matches touched
 * leads to more attempts, files that are about to be touched say much, and recent attempts are likelier.
 *
 * Nothing here looks at all attempts: indexes give the few hundred that may be answers, and these are compared.
 */

/** What sharing the files asked for weighs, beside the best text. */
const FILES = { prompt: 1, failure: 0.1 };
/** What the best matches lead to weighs, beside the best text. */
const LINKS = { prompt: 0.75, failure: 0 };
/** What being the latest attempt adds, and after how many later attempts that has faded to 1/e. */
const RECENCY = { prompt: 0.1, failure: 0 };
const RECENT = 50;
/** Older ones get nothing for it that could be seen. */
const MOST_RECENT = 300;
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

/** An attempt as it is kept. */
export interface KnownAttempt extends AttemptSummary {
  readonly id: string;
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

type Unexplained = Omit<Ranked, 'words'>;

/** The attempts that have most in common with a question, the most alike first; open ones last; ties by id. */
export async function rankAttempts(
  context: ShelfContext,
  { query, failed, files, strict, limit }: Question,
): Promise<Ranked[]> {
  const shelf = new AttemptShelf(context);
  const found = await touching(shelf, files);
  const also = new Set([...found.values()].flatMap((ids) => [...ids]));
  const { failure, byAttempt, words } = await likenessesTo(shelf, query, { failed, also });
  const kind = failure ? 'failure' : 'prompt';
  const byFile = await withTouching(shelf, found, byAttempt.keys());
  const scores = new Map([...byAttempt].map(([id, { score }]) => [id, score]));
  const top = Math.max(0, ...scores.values());
  const summaries = await shelf.summaries([...new Set([...scores.keys(), ...also])]);
  const byFiles = files.length > 0 ? FILES[kind] : 0;
  if (byFiles > 0) addTo(scores, await scoresByFiles(shelf, byFile, summaries), byFiles * (top || 1));
  if (LINKS[kind] > 0) {
    const linked = await scoresByMatches(shelf, scores);
    const more = [...linked.keys()].filter((id) => !scores.has(id));
    addTo(scores, await shelf.told.scores(words.prompt, more), 1);
    addTo(scores, linked, LINKS[kind] * top);
    for (const [id, summary] of await shelf.summaries(more)) summaries.set(id, summary);
  }
  const latest = RECENCY[kind] > 0 ? await shelf.latest(MOST_RECENT) : [];
  const later = new Map(latest.map((id, at) => [id, at]));
  const whole = (1 + byFiles * (1 + LATEST) + LINKS[kind]) * (1 + RECENCY[kind] + SUCCESS);
  const ranked: Unexplained[] = [];
  for (const [id, sum] of scores) {
    const summary = summaries.get(id);
    if (!summary) continue;
    const sharedFiles = sharedWith(id, byFile);
    if (strict && files.length > 0 && sharedFiles.length === 0) continue;
    const recent = RECENCY[kind] * Math.exp(-(later.get(id) ?? Infinity) / RECENT);
    const score = (sum * (1 + recent + (summary.succeeded ? SUCCESS : 0))) / whole;
    ranked.push({ attempt: { id, ...summary }, score, likeness: byAttempt.get(id) ?? null, sharedFiles });
  }
  const best = ranked.sort(byRank).slice(0, limit);
  const explained = await sourcesOf(shelf, best);
  return Promise.all(
    explained.map(async (one) => ({ ...one, words: await tellingWords(shelf, one, words) })),
  );
}

/** An attempt that goes on may be the one that asks: it knows no outcome yet, and must not crowd out others. */
function byRank(a: Unexplained, b: Unexplained): number {
  return (
    Number(a.attempt.open) - Number(b.attempt.open) ||
    b.score - a.score ||
    compareText(b.attempt.created_at, a.attempt.created_at) ||
    compareText(a.attempt.id, b.attempt.id)
  );
}

function sharedWith(id: string, byFile: Touching): string[] {
  return [...byFile].flatMap(([file, ids]) => (ids.has(id) ? [file] : []));
}

function addTo(scores: Map<string, number>, more: ReadonlyMap<string, number>, weight: number): void {
  for (const [id, score] of more) scores.set(id, (scores.get(id) ?? 0) + weight * score);
}
