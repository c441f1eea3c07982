import { compareText } from '../../../runtime/index.js';
import { type FoundDocument, rarity, type WordQuery } from '../../../search/index.js';
import { type FailedRun, failedRun } from './failed-run.js';
import { failureText } from './failure-text.js';
import { isInWords, maybeTests, type NamedFailure, namedFailure } from './named-failure.js';
import { NearFailures } from './near-failures.js';
import { type RunLikeness, runLikeness, type Worths } from './run-likeness.js';
import type { AttemptShelf } from './stored/attempt-shelf.js';
import { reasonThing, testThing, thingsOf } from './stored/failed-things.js';
import { passageId, passageOf } from './stored/indexes.js';
import type { AttemptFailures } from './stored/records.js';

/** Passages of failing outputs that are looked at: an attempt may have many. */
const MOST_PASSAGES = 300;

/** Of each attempt the passage of its failing outputs that is most like a question, and how much, from 0 to 1. */
type Passages = ReadonlyMap<string, { readonly part: number; readonly score: number }>;

/** The attempts with the passages that are most like some words. */
async function passagesLike({ failures }: AttemptShelf, words: WordQuery): Promise<Passages> {
  return bestOf(await failures.search(words, { limit: MOST_PASSAGES }));
}

/** The same for attempts that are named; those without such a passage are left out. */
async function passagesOfAttempts(
  shelf: AttemptShelf,
  words: WordQuery,
  attempts: readonly string[],
): Promise<Passages> {
  if (attempts.length === 0) return new Map();
  const summaries = await shelf.summaries(attempts);
  const ids = [...summaries].flatMap(([id, { parts }]) =>
    Array.from({ length: parts }, (_, part) => passageId(id, part)),
  );
  const scores = await shelf.failures.scores(words, ids);
  return bestOf([...scores].map(([id, score]) => ({ id, score })));
}

function bestOf(found: readonly FoundDocument[]): Passages {
  const best = new Map<string, { part: number; score: number }>();
  for (const { id, score } of found) {
    const { task, part } = passageOf(id);
    const known = best.get(task);
    if (!known || score > known.score || (score === known.score && part < known.part))
      best.set(task, { part, score });
  }
  return best;
}

/** What failed tells more than why: many things fail for one reason. */
const TEST = 2;
/** What another case of a test that is named counts of it. */
const OTHER_CASE = 0.6;
/** An attempt is meant that met more than this share of what is named. */
const MEANT = 0.5;

/** How an attempt met what a question names. */
interface NamedMatch {
  /** Of all that is named, what share failed in it, each by its rarity: above 0.5, at most 1. */
  readonly share: number;
  /** The invocation or error that tells it. */
  readonly source: string;
  /** Names of tests that are named and failed in it. */
  readonly failing: readonly string[];
  /** Whether it met a message that is named. */
  readonly sameError: boolean;
  /** Whether all that is the same are messages for which many unlike things fail. */
  readonly isCommon: boolean;
}

/**
 * The attempts that met most of what a question names. Coverage and no Jaccard: what else failed beside it, the
 * question does not say. What nobody met counts as if one attempt had: it says that another failure is meant, but a
 * young record knows little.
 */
async function namedMatches(
  shelf: AttemptShelf,
  { tests, messages, types }: NamedFailure,
  known: NearFailures,
): Promise<ReadonlyMap<string, NamedMatch>> {
  const attemptsWith = (names: Iterable<string>, of: (name: string) => ReadonlySet<string>) =>
    new Set([...names].flatMap((name) => [...of(name)]));
  const testsOf = ({ names, whole }: NamedFailure['tests'][number]) =>
    whole === null || [...names].some((name) => known.failedWith(name).size > 0) ? [...names] : [whole];
  const byTest = tests.map((test) => attemptsWith(testsOf(test), (name) => known.failedWith(name)));
  const byMessage = messages.map(({ reasons }) => attemptsWith(reasons, (reason) => known.failedFor(reason)));
  const worth = await worthOf(shelf, {
    tests: tests.map((test) => testsOf(test).map(testThing)),
    messages: messages.map(({ reasons }) => [...reasons].map(reasonThing)),
  });
  const saying = await shelf.failures.frequencies(types);
  const passages = await shelf.failures.size();
  const worths = {
    tests: worth.tests.map((one) => TEST * one),
    messages: worth.messages,
    types: types.map((type) => rarity(passages, Math.min(passages, Math.max(1, saying.get(type) ?? 0)))),
  };
  const all = [...worths.tests, ...worths.messages, ...worths.types].reduce((sum, one) => sum + one, 0);

  const common = new Set(messages.filter(({ reasons }) => known.isCommon(reasons)));
  const matchOf = (run: FailedRun, source: string): NamedMatch => {
    const failed = new Set(run.tests.flatMap(({ name, whole }) => [name, whole]));
    const failing: string[] = [];
    let sum = 0;
    tests.forEach(({ names, whole }, at) => {
      const name = [...names].find((one) => failed.has(one)) ?? null;
      const other = name === null && whole !== null && failed.has(whole);
      sum += (worths.tests[at] ?? 0) * (name !== null ? 1 : other ? OTHER_CASE : 0);
      if (name !== null) failing.push(name);
      else if (other) failing.push(whole);
    });
    const said = messages.map(
      ({ reasons, files }) =>
        [...reasons].some((reason) => run.reasons.has(reason)) &&
        files.every((file) => shelf.words.of(file).every((word) => run.words.has(word))),
    );
    said.forEach((isSaid, at) => {
      if (isSaid) sum += worths.messages[at] ?? 0;
    });
    types.forEach((type, at) => {
      if (run.words.has(type)) sum += worths.types[at] ?? 0;
    });
    const met = messages.filter((_, at) => said[at]);
    const isCommon = failing.length === 0 && met.length > 0 && met.every((message) => common.has(message));
    return { share: sum / all, source, failing, sameError: said.includes(true), isCommon };
  };

  const matches = new Map<string, NamedMatch>();
  for (const id of new Set([...byTest, ...byMessage].flatMap((ids) => [...ids]))) {
    const failures = known.attempts.get(id);
    for (const [source, run] of failures ? [...failures.runs, ...failures.told] : []) {
      const match = matchOf(run, source);
      if (match.share > MEANT && match.share > (matches.get(id)?.share ?? 0)) matches.set(id, match);
    }
  }
  return matches;
}

/** How much things tell that attempts met under one of some names. */
async function worthOf(
  { failed }: AttemptShelf,
  { tests, messages }: { readonly tests: readonly string[][]; readonly messages: readonly string[][] },
) {
  const having = await failed.frequencies([...tests, ...messages].flat());
  const size = await failed.size();
  const worth = (things: readonly string[]) => {
    const sum = things.reduce((all, thing) => all + (having.get(thing) ?? 0), 0);
    return rarity(size, Math.min(Math.max(1, size), Math.max(1, sum)));
  };
  return { tests: tests.map(worth), messages: messages.map(worth) };
}

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
