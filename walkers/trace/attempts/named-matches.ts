import type { AttemptIndex } from './attempt-index.js';
import type { FailedRun } from './failed-run.js';
import type { NamedFailure } from './named-failure.js';

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
}

/**
 * The attempts that met most of what a question names. Coverage and no Jaccard: what else failed beside it, the
 * question does not say. What nobody met counts as if one attempt had: it says that another failure is meant, but a
 * young record knows little.
 */
export function namedMatches(
  index: AttemptIndex,
  { tests, messages, types }: NamedFailure,
): ReadonlyMap<string, NamedMatch> {
  const { met } = index;
  const worth = (having: number) => met.worth(Math.max(1, having));
  const attemptsWith = (names: Iterable<string>, of: (name: string) => ReadonlySet<string>) =>
    new Set([...names].flatMap((name) => [...of(name)]));
  const byTest = tests.map(({ names, whole }) => {
    const own = attemptsWith(names, (name) => met.failedWith(name));
    return own.size > 0 || whole === null ? own : met.failedWith(whole);
  });
  const byMessage = messages.map(({ reasons }) => attemptsWith(reasons, (reason) => met.failedFor(reason)));
  const worths = {
    tests: byTest.map(({ size }) => TEST * worth(size)),
    messages: byMessage.map(({ size }) => worth(size)),
    types: types.map((type) => worth(met.failedSaying(type))),
  };
  const all = [...worths.tests, ...worths.messages, ...worths.types].reduce((sum, one) => sum + one, 0);

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
        files.every((file) => index.words.of(file).every((word) => run.words.has(word))),
    );
    said.forEach((isSaid, at) => {
      if (isSaid) sum += worths.messages[at] ?? 0;
    });
    types.forEach((type, at) => {
      if (run.words.has(type)) sum += worths.types[at] ?? 0;
    });
    return { share: sum / all, source, failing, sameError: said.includes(true) };
  };

  const matches = new Map<string, NamedMatch>();
  for (const id of new Set([...byTest, ...byMessage].flatMap((ids) => [...ids]))) {
    const known = index.of(id);
    for (const [source, run] of known ? [...known.runs, ...known.told] : []) {
      const match = matchOf(run, source);
      if (match.share > MEANT && match.share > (matches.get(id)?.share ?? 0)) matches.set(id, match);
    }
  }
  return matches;
}
