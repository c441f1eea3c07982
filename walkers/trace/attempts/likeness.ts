import { compareText } from '../../../runtime/index.js';
import type { Hit, WordQuery } from '../../../search/index.js';
import type { AttemptIndex, KnownAttempt } from './attempt-index.js';
import { type FailedRun, failedRun } from './failed-run.js';
import { failureText } from './failure-text.js';
import { namedFailure } from './named-failure.js';
import { namedMatches } from './named-matches.js';
import { type RunLikeness, runLikeness, type Worths } from './run-likeness.js';

/** The first line of a prompt says what is wanted: its words count this much. */
const FIRST_LINE = 1.5;
/** Words of lines that tell what went wrong count this much of those around them. */
const TELLING_LINE = 2;
/** What all words of a failure weigh in the order, beside {@link runLikeness}: they tell those apart that are as alike. */
const TEXT = 0.15;
/** Attempts whose failing outputs are compared one by one. */
const MOST_COMPARED = 32;
/** Above it the reasons of two failures are mostly the same. */
const SAME = 0.5;
/** Words that are named as the reason of a match. */
const MOST_WORDS = 6;

/** How one attempt is like a question. */
export interface Likeness {
  /** Whether it is like a failure (as `alike` says), or like a prompt. */
  readonly asFailure: boolean;
  /** From 0 to 1, for the order. Of a prompt: the share of the largest score that any text could get. */
  readonly score: number;
  /** How sure it is, from 0 to 1: of a failure as `runLikeness` or `namedMatches` give it, of a prompt the score. */
  readonly alike: number;
  /** Names of what failed in both. */
  readonly failing: readonly string[];
  /** Whether it failed for mostly the same reasons. */
  readonly sameError: boolean;
  /** The invocation or error whose output is most like the question; null where none is. */
  readonly source: string | null;
}

/** What a question is like. */
export interface Likenesses {
  /**
   * Whether it is a failure: what a failing command printed (it names what failed, or some failing output is more like
   * it than any prompt), or a question that names what an attempt met.
   */
  readonly failure: boolean;
  readonly byAttempt: ReadonlyMap<string, Likeness>;
  /** The words that tell most of what an attempt has of the question, the most telling first; looked for when asked. */
  wordsOf(attempt: string): readonly string[];
}

/**
 * The attempts whose texts have a word of the question, and how alike they are.
 *
 * @param failed Where it is known that the question is a failure: what was run.
 */
export function likenessesTo(
  index: AttemptIndex,
  query: string,
  failed?: { readonly command: string | null },
): Likenesses {
  const asPrompt = promptWords(index, query);
  const asFailure = failureWords(index, query);
  const told = byOwner(index.told.search(asPrompt));
  const failures = byOwner(index.failures.search(asFailure));
  const asked = failedRun(query, failed?.command ?? null, index.words);
  const printed = failed !== undefined || asked.tests.length > 0 || best(failures) > best(told);
  const named = failed === undefined ? namedFailure(query, asked, index.met) : null;
  const meant = named ? namedMatches(index, named) : null;

  const compared = printed ? comparable(index, asked, failures) : NOBODY;
  const worths = index.failed.worths();
  const byAttempt = new Map<string, Likeness>();
  for (const id of new Set([...told.keys(), ...failures.keys(), ...(meant?.keys() ?? [])])) {
    const known = index.of(id);
    const [prompt, output] = [told.get(id), failures.get(id)];
    const text = Math.max(prompt?.score ?? 0, output?.score ?? 0);
    const run = known && compared.has(id) ? mostAlike(asked, known, worths) : null;
    const match = meant?.get(id) ?? null;
    const asFailure = printed || match !== null;
    const alike = asFailure ? Math.max(run?.score ?? 0, match?.share ?? 0) : text;
    byAttempt.set(id, {
      asFailure,
      score: (1 - TEXT) * alike + TEXT * text,
      alike,
      failing: match?.failing ?? run?.failing ?? [],
      sameError: match?.sameError || (run?.reasons ?? 0) > SAME,
      source: match?.source ?? run?.source ?? (output && known?.sources[output.part]) ?? null,
    });
  }
  const wordsOf = (id: string) => {
    const [prompt, output] = [told.get(id), failures.get(id)];
    if (output && output.score >= (prompt?.score ?? 0))
      return index.failures.telling(asFailure, output, MOST_WORDS);
    return prompt ? index.told.telling(asPrompt, prompt, MOST_WORDS) : [];
  };
  return { failure: printed || (meant?.size ?? 0) > 0, byAttempt, wordsOf };
}

/**
 * The attempts whose failing outputs are worth comparing one by one: those that failed with one of the same tests, then
 * those whose words are most alike.
 */
function comparable(
  index: AttemptIndex,
  asked: FailedRun,
  hits: ReadonlyMap<string, Hit>,
): ReadonlySet<string> {
  const same = new Set<string>();
  for (const { name, whole } of asked.tests)
    for (const test of [name, whole]) for (const id of index.failed.failedWith(test)) same.add(id);
  const byText = [...hits.values()].sort(
    (a, b) =>
      Number(same.has(b.owner)) - Number(same.has(a.owner)) ||
      b.score - a.score ||
      compareText(a.owner, b.owner),
  );
  return new Set(byText.slice(0, MOST_COMPARED).map(({ owner }) => owner));
}

/** The failing output of an attempt that is most like the one asked for; null where none is like it at all. */
function mostAlike(asked: FailedRun, { runs }: KnownAttempt, worths: Worths) {
  let most: (RunLikeness & { source: string; run: FailedRun }) | null = null;
  for (const [source, run] of runs) {
    const likeness = runLikeness(asked, run, worths);
    if (likeness.score > (most?.score ?? 0)) most = { ...likeness, source, run };
  }
  if (!most) return null;
  const names = new Set(most.run.tests.flatMap(({ name, whole }) => [name, whole]));
  const failing = new Set(asked.tests.flatMap(({ name, whole }) => [name, whole]));
  return { ...most, failing: [...failing].filter((name) => names.has(name)) };
}

function promptWords({ words }: AttemptIndex, query: string): WordQuery {
  const [first = ''] = query.split('\n', 1);
  return new Map([
    ...words.of(query).map((word) => [word, 1] as const),
    ...words.of(first).map((word) => [word, FIRST_LINE] as const),
  ]);
}

function failureWords({ words }: AttemptIndex, query: string): WordQuery {
  const { telling, rest } = failureText(query);
  return new Map([
    ...words.of(rest).map((word) => [word, 1] as const),
    ...words.of(telling).map((word) => [word, TELLING_LINE] as const),
  ]);
}

function byOwner(hits: readonly Hit[]): ReadonlyMap<string, Hit> {
  return new Map(hits.map((hit) => [hit.owner, hit]));
}

function best(hits: ReadonlyMap<string, Hit>): number {
  let most = 0;
  for (const { score } of hits.values()) most = Math.max(most, score);
  return most;
}

const NOBODY: ReadonlySet<string> = new Set();
