import { type FailureTerms, isDistinctive, type Rarities, similarity } from '../../../failures/index.js';
import { rarity } from '../../../search/index.js';
import { type AttemptStore, attemptOfFailure, failureId, link, type RecordedFailure } from './store.js';

/** Failures whose words are looked at, and attempts whose failures are compared one by one. */
const MOST_FOUND = 200;
const MOST_COMPARED = 48;
/** What the failures that are equal score at least; the rest is their similarity. */
const EQUAL = 0.3;
/** What the words of all that was printed count: they tell apart what failed in the same tests. */
const TEXT = 0.15;

type AskedFailure = Omit<RecordedFailure, 'source'> & { readonly query: string };

/** How a recorded failure matches the one that is asked for. */
export type FailureMatch = NonNullable<ReturnType<typeof matchOf>>;

/** By attempt the recorded failure that is most similar to the one that is asked for. */
export async function similarFailures(
  store: AttemptStore,
  asked: AskedFailure,
): Promise<ReadonlyMap<string, FailureMatch>> {
  const query = (some: readonly string[]) => new Map(some.map((one) => [one, 1]));
  const links = query(link.failed(asked));
  const linked = await store.links.search(links, { limit: MOST_COMPARED, weights: { failed: 1 } });
  const words = query(store.words.of(asked.query));
  const worded = await store.failures.search(words, { limit: MOST_FOUND });
  const ids = [...linked.map(({ id }) => id), ...worded.map(({ id }) => attemptOfFailure(id))];
  const known = await store.failuresOf([...new Set(ids)].slice(0, MOST_COMPARED));
  const said = await store.failures.scores(
    words,
    [...known].flatMap(([id, all]) => all.map((_, at) => failureId(id, at))),
  );
  const rarities = await raritiesOf(store, [asked, ...[...known.values()].flat()]);
  const matches = new Map<string, FailureMatch>();
  for (const [id, failures] of known)
    for (const [at, failure] of failures.entries()) {
      const match = matchOf(asked, failure, rarities, said.get(failureId(id, at)) ?? 0);
      if (match && match.score > (matches.get(id)?.score ?? 0)) matches.set(id, match);
    }
  return matches;
}

function matchOf(asked: AskedFailure, known: RecordedFailure, rarities: Rarities, said: number) {
  const similar = similarity(asked, known, rarities, said);
  if (!similar) return null;
  const { tests, sameTests, reasons } = similar;
  const isElsewhere = tests.length === 0 && contradict(asked.origins, known.origins);
  const exact = [...asked.exact].filter((message) => known.exact.has(message));
  // An assertion says little but its values: where anything else failed, too, they are a coincidence.
  const isOfOne = sameTests.length === asked.tests.length || known.tests.length === 0;
  const isSaid = exact.some((message) => isDistinctive(message) || (isOfOne && /[\d'"`]/u.test(message)));
  const same = !isElsewhere && (isSaid || (tests.length > 0 && reasons.some(isDistinctive)));
  return {
    score: (1 - TEXT) * (same ? EQUAL + (1 - EQUAL) * similar.score : similar.score) + TEXT * said,
    /** Whether it is the same failure: a test that failed for the same reason, or the same message from the same code. */
    same,
    /** Whether neither a test nor a message with its values is the same. */
    differs: tests.length + exact.length === 0 && asked.exact.size > 0,
    source: known.source,
    /** Tests that failed in both; those that failed for the same reason first. */
    tests: [...new Set([...sameTests, ...tests])].map(({ said }) => said),
    reasons,
  };
}

/** Whether two failures arose in different files, as far as both say; one may be named from a folder further in. */
function contradict(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const isOne = (x: string, y: string) => `/${x}`.endsWith(`/${y}`) || `/${y}`.endsWith(`/${x}`);
  return a.size > 0 && b.size > 0 && ![...a].some((file) => [...b].some((other) => isOne(file, other)));
}

async function raritiesOf({ links }: AttemptStore, some: readonly FailureTerms[]): Promise<Rarities> {
  const attempts = await links.size();
  const having = await links.frequencies(some.flatMap(link.failed));
  const of = (thing: string) => rarity(attempts, Math.min(attempts, having.get(thing) ?? 0));
  return { test: (name) => of(link.test(name)), reason: (key) => of(link.reason(key)) };
}
