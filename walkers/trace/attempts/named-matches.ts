import { rarity } from '../../../search/index.js';
import type { FailedRun } from './failed-run.js';
import type { NamedFailure } from './named-failure.js';
import type { NearFailures } from './near-failures.js';
import type { AttemptShelf } from './stored/attempt-shelf.js';
import { reasonThing, testThing } from './stored/failed-things.js';

/** What failed tells more than why: many things fail for one reason. */
const TEST = 2;
/** What another case of a test that is named counts of it. */
const OTHER_CASE = 0.6;
/** An attempt is meant that met more than this share of what is named. */
const MEANT = 0.5;

/** How an attempt met what a question names. */
export interface NamedMatch {
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
export async function namedMatches(
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
