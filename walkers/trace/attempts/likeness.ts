import { compareText } from '../../../runtime/index.js';
import { rarity, type WordQuery } from '../../../search/index.js';
import { type FailedRun, failedRun } from './failed-run.js';
import { failureText } from './failure-text.js';
import { isInWords, maybeTests, namedFailure } from './named-failure.js';
import { type NamedMatch, namedMatches } from './named-matches.js';
import { NearFailures } from './near-failures.js';
import { type Passages, passagesLike, passagesOfAttempts } from './passages.js';
import { type RunLikeness, runLikeness, type Worths } from './run-likeness.js';
import type { AttemptShelf } from './stored/attempt-shelf.js';
import { reasonThing, testThing, thingsOf } from './stored/failed-things.js';
import type { AttemptFailures } from './stored/records.js';

/** Attempts that are looked at because their texts are most like a question. */
const MOST_FOUND = 200;
/** The first line of a prompt says what is wanted: its words count this much. */
const FIRST_LINE = 1.5;
/** Words of lines that tell what went wrong count this much of those around them. */
const TELLING_LINE = 2;
/** What all words of a failure weigh in the order, beside {@link runLikeness}: they tell those apart that are as alike. */
const TEXT = 0.15;
/** Attempts whose failing outputs are compared one by one. */
const MOST_COMPARED = 32;
/** Attempts whose failures a question in words may name. */
const MOST_NEAR = 64;
/** Above it the reasons of two failures are mostly the same. */
const SAME = 0.5;

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
  /** The invocation or error whose output is most like the question; null where none is known. */
  readonly source: string | null;
  /** The passage of its failing outputs that is most like the question; null where none is. */
  readonly part: number | null;
  /** Whether all that is the same are reasons for which many unlike things fail. */
  readonly isCommon: boolean;
  /** Whether its prompt and what was done are more like the question than what failed. */
  readonly byPrompt: boolean;
}

/** What a question is like. */
export interface Likenesses {
  /**
   * Whether it is a failure: what a failing command printed (it names what failed, or some failing output is more like
   * it than any prompt), or a question that names what an attempt met.
   */
  readonly failure: boolean;
  readonly byAttempt: ReadonlyMap<string, Likeness>;
  /** What is looked for in prompts and what was done, and in failing outputs. */
  readonly words: { readonly prompt: WordQuery; readonly failure: WordQuery };
}

/** How a question is compared. */
export interface LikenessOptions {
  /** Where it is known that the question is a failure: what was run. */
  readonly failed: { readonly command: string | null } | undefined;
  /** Other attempts that may be answers to a prompt. */
  readonly also: Iterable<string>;
}

/** The attempts whose texts are most like a question, and how alike they are. */
export async function likenessesTo(
  shelf: AttemptShelf,
  query: string,
  { failed, also }: LikenessOptions,
): Promise<Likenesses> {
  const words = { prompt: promptWords(shelf, query), failure: failureWords(shelf, query) };
  const found = await shelf.told.search(words.prompt, { limit: MOST_FOUND });
  const told = new Map(found.map(({ id, score }) => [id, score]));
  const like = await passagesLike(shelf, words.failure);
  const asked = failedRun(query, failed?.command ?? null, shelf.words);
  const printed = failed !== undefined || asked.tests.length > 0 || best(like) > (found[0]?.score ?? 0);
  const meant =
    failed === undefined && isInWords(query, asked) ? await meantBy(shelf, query, asked, like) : NO_MATCHES;

  const passages = printed ? await withSameTests(shelf, words.failure, asked, like) : like;
  const compared = printed ? await runsLike(shelf, asked, passages) : NO_RUNS;
  if (!printed) {
    const others = [...also].filter((id) => !told.has(id));
    for (const [id, score] of await shelf.told.scores(words.prompt, others)) told.set(id, score);
  }
  const byAttempt = new Map<string, Likeness>();
  for (const id of new Set([...told.keys(), ...passages.keys(), ...meant.keys()])) {
    const [prompt, output] = [told.get(id) ?? 0, passages.get(id)];
    const text = Math.max(prompt, output?.score ?? 0);
    const run = compared.get(id) ?? null;
    const match = meant.get(id) ?? null;
    const asFailure = printed || match !== null;
    const alike = asFailure ? Math.max(run?.score ?? 0, match?.share ?? 0) : text;
    byAttempt.set(id, {
      asFailure,
      score: (1 - TEXT) * alike + TEXT * text,
      alike,
      failing: match?.failing ?? run?.failing ?? [],
      sameError: match?.sameError || (run?.reasons ?? 0) > SAME,
      source: match?.source ?? run?.source ?? null,
      part: output?.part ?? null,
      isCommon: ((match?.share ?? 0) > (run?.score ?? 0) ? match : run)?.isCommon ?? false,
      byPrompt: prompt > (output?.score ?? 0),
    });
  }
  return { failure: printed || meant.size > 0, byAttempt, words };
}

/** The attempts that met what a question in words names. */
async function meantBy(
  shelf: AttemptShelf,
  query: string,
  asked: FailedRun,
  passages: Passages,
): Promise<ReadonlyMap<string, NamedMatch>> {
  const tests = [...asked.tests, ...maybeTests(query)];
  const same = await shelf.failed.search(thingsNamed(tests), { limit: MOST_NEAR });
  const near = [...same.map(({ id }) => id), ...byScore(passages)].slice(0, MOST_NEAR);
  if (near.length === 0) return NO_MATCHES;
  const known = new NearFailures(await shelf.failuresOf([...new Set(near)]));
  const named = namedFailure(query, asked, known);
  return named ? namedMatches(shelf, named, known) : NO_MATCHES;
}

/** The passages with those of attempts in which the same tests failed, whatever else was printed there. */
async function withSameTests(
  shelf: AttemptShelf,
  words: WordQuery,
  asked: FailedRun,
  passages: Passages,
): Promise<Passages> {
  if (asked.tests.length === 0) return passages;
  const same = await shelf.failed.search(thingsNamed(asked.tests), { limit: MOST_COMPARED });
  const more = await passagesOfAttempts(
    shelf,
    words,
    same.flatMap(({ id }) => (passages.has(id) ? [] : [id])),
  );
  return new Map([...passages, ...more]);
}

/**
 * The failing outputs that are most like the one asked for, by attempt: of the attempts that failed with one of the same
 * tests, then of those whose words are most alike.
 */
async function runsLike(shelf: AttemptShelf, asked: FailedRun, passages: Passages) {
  const found = await shelf.failuresOf(await comparable(shelf, asked, passages));
  const runs = [...found.values()].flatMap((one) => [...one.runs.values()]);
  const worths = await worthsOf(shelf, [asked, ...runs]);
  const known = new NearFailures(found);
  const alike = new Map<string, RunMatch>();
  for (const [id, failures] of found) {
    const run = mostAlike(asked, failures, worths, known);
    if (run) alike.set(id, run);
  }
  return alike;
}

async function comparable(shelf: AttemptShelf, asked: FailedRun, passages: Passages): Promise<string[]> {
  const ids = byScore(passages);
  const same = await shelf.failed.scores(thingsNamed(asked.tests), ids);
  return [...ids.filter((id) => same.has(id)), ...ids.filter((id) => !same.has(id))].slice(0, MOST_COMPARED);
}

type RunMatch = RunLikeness & {
  readonly source: string;
  readonly failing: readonly string[];
  readonly isCommon: boolean;
};

/** The failing output of an attempt that is most like the one asked for; null where none is like it at all. */
function mostAlike(
  asked: FailedRun,
  { runs }: AttemptFailures,
  worths: Worths,
  known: NearFailures,
): RunMatch | null {
  let most: (RunLikeness & { source: string; run: FailedRun }) | null = null;
  for (const [source, run] of runs) {
    const likeness = runLikeness(asked, run, worths);
    if (likeness.score > (most?.score ?? 0)) most = { ...likeness, source, run };
  }
  if (!most) return null;
  const names = new Set(most.run.tests.flatMap(({ name, whole }) => [name, whole]));
  const failing = new Set(asked.tests.flatMap(({ name, whole }) => [name, whole]));
  const { reasons } = most.run;
  const same = [...asked.reasons].filter((reason) => reasons.has(reason));
  const both = [...failing].filter((name) => names.has(name));
  const isCommon = both.length === 0 && same.length > 0 && same.every((reason) => known.isCommon([reason]));
  return { ...most, failing: both, isCommon };
}

function thingsNamed(tests: FailedRun['tests']): WordQuery {
  return new Map(tests.flatMap(({ name, whole }) => [name, whole]).map((name) => [testThing(name), 1]));
}

function promptWords({ words }: AttemptShelf, query: string): WordQuery {
  const [first = ''] = query.split('\n', 1);
  return new Map([
    ...words.of(query).map((word) => [word, 1] as const),
    ...words.of(first).map((word) => [word, FIRST_LINE] as const),
  ]);
}

function failureWords({ words }: AttemptShelf, query: string): WordQuery {
  const { telling, rest } = failureText(query);
  return new Map([
    ...words.of(rest).map((word) => [word, 1] as const),
    ...words.of(telling).map((word) => [word, TELLING_LINE] as const),
  ]);
}

function best(passages: Passages): number {
  let most = 0;
  for (const { score } of passages.values()) most = Math.max(most, score);
  return most;
}

/** Attempts, the one with the best passage first; ties by id. */
function byScore(passages: Passages): string[] {
  return [...passages].sort(([a, x], [b, y]) => y.score - x.score || compareText(a, b)).map(([id]) => id);
}

const NO_RUNS: ReadonlyMap<string, RunMatch> = new Map();
const NO_MATCHES: ReadonlyMap<string, NamedMatch> = new Map();

/**
 * How much the tests, reasons and words of some runs tell: the fewer of the attempts that failed have a test or a
 * reason, and the fewer passages of failing outputs a word, the more.
 */
async function worthsOf(
  { failed, failures }: Pick<AttemptShelf, 'failed' | 'failures'>,
  runs: readonly FailedRun[],
): Promise<Worths> {
  const [attempts, passages] = [await failed.size(), await failures.size()];
  const things = await failed.frequencies(thingsOf(runs));
  const words = await failures.frequencies(runs.flatMap((run) => [...run.words]));
  const thing = (word: string) => rarity(attempts, Math.min(attempts, things.get(word) ?? 0));
  return {
    test: (name) => thing(testThing(name)),
    reason: (reason) => thing(reasonThing(reason)),
    word: (word) => rarity(passages, words.get(word) ?? 0),
  };
}
