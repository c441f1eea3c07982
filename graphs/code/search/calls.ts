import type { ReadContext } from '../../../runtime/index.js';
import { append, SymbolCallsSymbol } from '../../../schema/index.js';
import { ranking } from '../../../search/index.js';
import type { FoundPlaces } from './candidates.js';

/** What the score of the best caller or callee counts, and among how many of the best they are looked for. */
const OF_CALLS = 0.15;
const MOST_CALLING = 100;
/** What it counts to be called by a test that says what the question says, and how many tests are asked. */
const OF_TEST = 0.3;
const MOST_TESTS = 15;
/** What it counts to be called by one of the best of the code, whatever its own words are, and by how many of them. */
const OF_CALLER = 0.1;
const MOST_CALLERS = 20;

/** A name that says that it is only for who defines it: such helpers do not come before what calls them. */
const PRIVATE = /^(?:_(?!_)|#)/u;

/**
 * Adds what calls tell. What calls or is called by something good is a little better itself. What tests call that have the
 * question's words may be meant without having any: a test tells in English what it is for.
 *
 * @param scores Of what is found; what is found by calls alone is added.
 * @param said What documents get for their words, by id, the best first: of the best 1. Of these the tests are asked.
 */
export async function addCalls(
  { q }: Pick<ReadContext, 'q'>,
  scores: Map<string, number>,
  places: FoundPlaces,
  said: ReadonlyMap<string, number>,
): Promise<void> {
  const best = ranking(scores);
  const calling = best.slice(0, MOST_CALLING);
  const isCode = (id: string) => places.of(id)?.isTest === false && places.of(id)?.isAside === false;
  const tests = [...said.keys()].filter((id) => places.of(id)?.isTest).slice(0, MOST_TESTS);
  const callers = best.filter(isCode).slice(0, MOST_CALLERS);
  const asked = [...new Set([...calling, ...tests, ...callers])];
  const callees = new Map<string, string[]>();
  for (const { from, to } of asked.length === 0 ? [] : await q(asked).out(SymbolCallsSymbol).edges())
    if (from !== to) append(callees, from, to);

  const note = (to: Map<string, number>, id: string, score: number) =>
    to.set(id, Math.max(to.get(id) ?? 0, score));
  const inside = new Set(calling);
  const near = new Map<string, number>();
  for (const from of calling)
    for (const to of callees.get(from) ?? []) {
      if (!inside.has(to)) continue;
      note(near, from, scores.get(to) ?? 0);
      note(near, to, scores.get(from) ?? 0);
    }
  const isHelper = (id: string) => PRIVATE.test(places.of(id)?.name ?? '');
  /** What some callers tell of what they call of others: one that calls much tells little of each. */
  const called = (ids: readonly string[], scoreOf: ReadonlyMap<string, number>) => {
    const points = new Map<string, number>();
    for (const from of ids) {
      const own = new Set(callees.get(from));
      for (const to of own)
        if (isCode(to) && !isHelper(to)) note(points, to, (scoreOf.get(from) ?? 0) / Math.sqrt(own.size));
    }
    return points;
  };
  const more = [
    [near, OF_CALLS],
    [called(tests, said), OF_TEST],
    [called(callers, scores), OF_CALLER],
  ] as const;
  for (const [points, weight] of more)
    for (const [id, score] of points) scores.set(id, (scores.get(id) ?? 0) + weight * score);
}
