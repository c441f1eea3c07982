import {
  type FailureTerms,
  isTelling,
  type Rarities,
  reasonKey,
  type SimilarFailure,
  similarity,
} from '../../../failures/index.js';
import { compareText } from '../../../runtime/index.js';
import { rarity } from '../../../search/index.js';
import { type AttemptStore, attemptOfFailure, failureId, link, type RecordedFailure } from './store.js';

/** Failures whose words are looked at, and attempts whose failures are compared one by one. */
const MOST_FOUND = 200;
const MOST_COMPARED = 48;
/** A message for which so many attempts failed in tests of their own says nothing of the cause. */
const COMMON = 3;
/** What the failures that are equal score at least; the rest is their similarity. */
const EQUAL = 0.3;
/** What the words of all that was printed count: they tell apart what failed in the same tests. */
const TEXT = 0.15;
/** A title in a question in words. */
const LONG_NAME = 6;

/** A failure that is asked for. */
export interface AskedFailure extends FailureTerms {
  readonly query: string;
  /** Whether it is in somebody's own words, which name only a part of what failed, and no output. */
  readonly inWords: boolean;
}

/** How a recorded failure matches the one that is asked for. */
export interface FailureMatch {
  /** From 0 to 1. */
  readonly score: number;
  /** Whether it is the same failure: a test that failed for the same reason, or the same rare message. */
  readonly same: boolean;
  /** The id of the ToolInvocation or Error. */
  readonly source: string;
  /** Tests that failed in both, as the record names them; those that failed for the same reason first. */
  readonly tests: readonly string[];
  /** Keys of messages of both. */
  readonly reasons: readonly string[];
}

/** By attempt the recorded failure that is most similar to the one that is asked for; equal ones first. */
export async function similarFailures(
  store: AttemptStore,
  asked: AskedFailure,
): Promise<ReadonlyMap<string, FailureMatch>> {
  const links = [
    ...asked.tests.flatMap(({ name, whole, leaf }) => [name, whole, leaf]).map(link.test),
    ...[...asked.reasons].map(link.reason),
  ];
  const query = (some: readonly string[]) => new Map(some.map((one) => [one, 1]));
  const linked = await store.links.search(query(links), { limit: MOST_COMPARED, weights: { failed: 1 } });
  const words = query(store.words.of(asked.query));
  const worded = await store.failures.search(words, { limit: MOST_FOUND });
  const ids = [...linked.map(({ id }) => id), ...worded.map(({ id }) => attemptOfFailure(id))];
  const known = await store.failuresOf([...new Set(ids)].slice(0, MOST_COMPARED));
  const said = await store.failures.scores(
    words,
    [...known].flatMap(([id, all]) => all.map((_, at) => failureId(id, at))),
  );
  const rarities = await raritiesOf(store, [asked, ...[...known.values()].flat()]);
  const isCommon = commonIn(known);
  const matches = new Map<string, FailureMatch>();
  for (const [id, failures] of known) {
    let best: FailureMatch | null = null;
    for (const [at, failure] of failures.entries()) {
      const match = matchOf(asked, failure, rarities, isCommon, said.get(failureId(id, at)) ?? 0);
      if (match && match.score > (best?.score ?? 0)) best = match;
    }
    if (best) matches.set(id, best);
  }
  return matches;
}

function matchOf(
  asked: AskedFailure,
  known: RecordedFailure,
  rarities: Rarities,
  isCommon: (reason: string) => boolean,
  said: number,
): FailureMatch | null {
  const whole = similarity(asked, known, rarities, said);
  const part = asked.inWords ? named(asked.query, known) : null;
  const similar = (part?.score ?? 0) > (whole?.score ?? 0) ? part : whole;
  if (!similar) return null;
  const rare = similar.reasons.filter((reason) => isTelling(reason) && !isCommon(reason));
  const same = rare.length > 0;
  const tests = [...similar.sameTests, ...similar.tests.filter((test) => !similar.sameTests.includes(test))];
  return {
    score: (1 - TEXT) * (same ? EQUAL + (1 - EQUAL) * similar.score : similar.score) + TEXT * said,
    same,
    source: known.source,
    tests: tests.map(({ said }) => said),
    reasons: similar.reasons,
  };
}

/** What a question in words names of a recorded failure: its tests, and its messages or how they begin. */
function named(query: string, known: RecordedFailure): SimilarFailure | null {
  const tests = known.tests.filter(({ name, whole }) => [name, whole].some((one) => isNamed(query, one)));
  const lines = query.split('\n').flatMap((line) => reasonKey(line) ?? []);
  const reasons = [...known.reasons].filter((reason) =>
    lines.some(
      (line) =>
        (isTelling(reason) && line.includes(reason)) ||
        (isTelling(line) && reason.includes(line)) ||
        line === reason,
    ),
  );
  if (tests.length + reasons.length === 0) return null;
  return { score: tests.length > 0 && reasons.length > 0 ? 1 : 0.75, tests, sameTests: [], reasons };
}

function isNamed(query: string, name: string): boolean {
  const title = name.slice(name.lastIndexOf(' > ') + 1).replace(/^> /u, '');
  return title.length >= LONG_NAME && /[_\s[]|\p{Ll}\p{Lu}/u.test(title) && query.includes(title);
}

/** How much tests, messages and words say: by the attempts that met them, and by the failures that have the word. */
async function raritiesOf({ links }: AttemptStore, some: readonly FailureTerms[]): Promise<Rarities> {
  const attempts = await links.size();
  const things = some.flatMap(({ tests, reasons }) => [
    ...tests.flatMap(({ name, whole, leaf }) => [name, whole, leaf].map(link.test)),
    ...[...reasons].map(link.reason),
  ]);
  const having = await links.frequencies(things);
  const of = (thing: string) => rarity(attempts, Math.min(attempts, having.get(thing) ?? 0));
  return {
    test: (name) => of(link.test(name)),
    reason: (key) => of(link.reason(key)),
  };
}

/** Tells messages for which several attempts failed, most of them in other tests than any one of them. */
function commonIn(known: ReadonlyMap<string, readonly RecordedFailure[]>): (reason: string) => boolean {
  const testsFor = new Map<string, { attempts: number; tests: Map<string, number> }>();
  for (const failures of known.values()) {
    const own = new Map<string, Set<string>>();
    for (const { tests, reasons } of failures)
      for (const reason of reasons) {
        const set = own.get(reason) ?? new Set();
        for (const { whole } of tests) set.add(whole);
        own.set(reason, set);
      }
    for (const [reason, tests] of own) {
      const sum = testsFor.get(reason) ?? { attempts: 0, tests: new Map<string, number>() };
      sum.attempts++;
      for (const test of tests) sum.tests.set(test, (sum.tests.get(test) ?? 0) + 1);
      testsFor.set(reason, sum);
    }
  }
  return (reason) => {
    const { attempts, tests } = testsFor.get(reason) ?? { attempts: 0, tests: new Map<string, number>() };
    return attempts >= COMMON && tests.size > 0 && Math.max(...tests.values()) <= attempts / 2;
  };
}

/** The order of attempts by what failed in them: the most similar first, ties by id. */
export function bestFirst(matches: ReadonlyMap<string, FailureMatch>): string[] {
  return [...matches].sort(([a, x], [b, y]) => y.score - x.score || compareText(a, b)).map(([id]) => id);
}
